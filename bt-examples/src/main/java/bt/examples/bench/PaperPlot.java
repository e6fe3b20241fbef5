package bt.examples.bench;

import java.util.List;
import java.util.Locale;

/**
 * Throughput against the number of tablet servers, a line for each workload: figure 6 of the paper, as SVG. A step upwards is
 * ten times as much, for scans are a hundred times as many as reads.
 */
final class PaperPlot {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 440;
    private static final int LEFT = 80;
    private static final int RIGHT = 230;
    private static final int TOP = 20;
    private static final int BOTTOM = 50;
    private static final double LEAST_UPPER_EDGE = 10;
    private static final List<String> COLOURS = List.of(
            "#1b6ca8", "#c8553d", "#588b3a", "#8d5a97", "#d08c1f", "#2a9d8f", "#6b705c", "#b5446e", "#3d405b",
            "#e07a5f", "#5f0f40", "#0b7a75", "#7f5539");

    private final List<Result> results;
    private final double mostServers;

    /** Powers of ten: the lower edge, and the upper. */
    private final int least;

    private final int most;
    private final StringBuilder svg = new StringBuilder();

    private PaperPlot(List<Result> results) {
        this.results = results;
        this.mostServers = most(results, Figure.SERVERS);
        this.most = (int) Math.ceil(Math.log10(Math.max(LEAST_UPPER_EDGE, most(results, Figure.OPS_PER_SECOND))));
        this.least = Math.min(most - 1, (int) Math.floor(Math.log10(Math.max(1, least(results)))));
    }

    static String svg(List<Result> results) {
        return new PaperPlot(results).draw();
    }

    private static double most(List<Result> results, Figure figure) {
        return results.stream()
                .mapToDouble(result -> result.figure(figure).orElse(0))
                .max()
                .orElse(1);
    }

    private static double least(List<Result> results) {
        return results.stream()
                .mapToDouble(result -> result.figure(Figure.OPS_PER_SECOND).orElse(0))
                .min()
                .orElse(1);
    }

    private String draw() {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">",
                WIDTH, HEIGHT);
        add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
        axes();
        List<String> names = results.stream().map(Result::name).distinct().toList();
        for (int i = 0; i < names.size(); i++) {
            line(names.get(i), COLOURS.get(i % COLOURS.size()), TOP + 10 + 18 * i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void axes() {
        for (int power = least; power <= most; power++) {
            double perSecond = Math.pow(10, power);
            add(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>",
                    LEFT, WIDTH - RIGHT, y(perSecond), y(perSecond));
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%,.0f</text>", LEFT - 6, y(perSecond) + 4, perSecond);
        }
        for (double servers : results.stream()
                .mapToDouble(result -> result.figure(Figure.SERVERS).orElse(0))
                .distinct()
                .toArray()) {
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>",
                    x(servers), HEIGHT - BOTTOM + 18, servers);
        }
        add(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">tablet servers</text>",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10);
        add("<text x=\"6\" y=\"14\">values a second</text>");
    }

    private void line(String name, String colour, int legendAt) {
        StringBuilder points = new StringBuilder();
        for (Result result : results) {
            if (result.name().equals(name)) {
                double x = x(result.figure(Figure.SERVERS).orElse(0));
                double y = y(result.figure(Figure.OPS_PER_SECOND).orElse(0));
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
                add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", x, y, colour);
            }
        }
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
                points.toString().strip(), colour);
        add("<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>", WIDTH - RIGHT + 16, legendAt, colour, name);
    }

    private double x(double servers) {
        return LEFT + (WIDTH - RIGHT - LEFT) * servers / mostServers;
    }

    private double y(double perSecond) {
        double above = Math.log10(Math.max(1, perSecond)) - least;
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * above / (most - least);
    }

    private void add(String format, Object... words) {
        svg.append(String.format(Locale.ROOT, format, words)).append('\n');
    }
}
