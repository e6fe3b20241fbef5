package bt.examples.chaos;

import bt.examples.cluster.TcpProxy.Weather;
import java.util.function.Function;

/** Between the clients and all servers. */
final class BadWeather implements Fault {
    private final Function<Strike, Weather> weather;

    BadWeather(Function<Strike, Weather> weather) {
        this.weather = weather;
    }

    @Override
    public String begin(Stage stage, Strike strike) {
        Weather chosen = weather.apply(strike);
        stage.network().set(chosen);
        return chosen.toString();
    }

    @Override
    public void end(Stage stage) {
        stage.network().set(Weather.FAIR);
    }
}
