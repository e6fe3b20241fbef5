package bt.examples.paper;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.BigtableException;
import bt.client.Bigtable;
import bt.connect.Connect;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A client process: blocking callers that work at one table. Words: cluster, table, workload, callers, rows of the table.
 * It prints {@code ready}, and obeys lines: {@code begin STEP NANOS} (of STEP rows one is looked at, and a caller has an
 * operation each NANOS, or one behind the other with 0), which it answers with what its callers say, {@code next CALLER} for another range and {@code at OPERATIONS} now and then, and with {@code done
 * OPERATIONS HISTOGRAM}; {@code range CALLER FROM TO} and {@code end CALLER} are the answers to a caller. The end of its
 * input is its end.
 */
public final class ClientMain {
    static final String READY = "ready";
    static final String BEGIN = "begin";
    static final String NEXT = "next";
    static final String AT = "at";
    static final String DONE = "done";
    static final String FAILED = "failed";
    static final String RANGE = "range";
    static final String END = "end";

    private static final long LOOK_MILLIS = 500;

    private final PrintStream answers;
    private final List<RangeWork> callers = new ArrayList<>();
    private final List<LinkedBlockingQueue<String[]>> inboxes = new ArrayList<>();

    private ClientMain(PrintStream answers) {
        this.answers = answers;
    }

    public static void main(String[] words) throws IOException {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        // Libraries print too.
        System.setOut(System.err);
        try (Bigtable bigtable = Connect.to(words[0])) {
            ClientMain client = new ClientMain(answers);
            Workload workload = Workload.valueOf(words[2]);
            int count = Integer.parseInt(words[3]);
            for (int i = 0; i < count; i++) {
                client.add(new RangeWork(bigtable.table(words[1]), workload, Long.parseLong(words[4])));
            }
            client.obey();
        }
        Runtime.getRuntime().halt(0);
    }

    private void add(RangeWork caller) {
        LinkedBlockingQueue<String[]> inbox = new LinkedBlockingQueue<>();
        int number = callers.size();
        callers.add(caller);
        inboxes.add(inbox);
        Thread thread = new Thread(() -> call(number), "caller-" + number);
        thread.setDaemon(true);
        thread.start();
    }

    private void obey() throws IOException {
        answers.println(READY);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals(BEGIN)) {
                begin(words);
            } else {
                inboxes.get(Integer.parseInt(words[1])).add(words);
            }
        }
    }

    private void begin(String[] words) {
        CountDownLatch left = new CountDownLatch(callers.size());
        callers.forEach(caller -> caller.begin(Integer.parseInt(words[1]), Long.parseLong(words[2]), left));
        inboxes.forEach(inbox -> inbox.add(words));
        Thread watch = new Thread(() -> watch(left), "watch");
        watch.setDaemon(true);
        watch.start();
    }

    private void watch(CountDownLatch left) {
        try {
            while (!left.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                answers.println(AT + " " + operations());
            }
            answers.println(DONE + " " + operations() + " " + RangeWork.latencies(callers));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private long operations() {
        return callers.stream().mapToLong(RangeWork::operations).sum();
    }

    private void call(int number) {
        RangeWork caller = callers.get(number);
        try {
            while (true) {
                String[] words = inboxes.get(number).take();
                switch (words[0]) {
                    case RANGE -> caller.run(Long.parseLong(words[2]), Long.parseLong(words[3]));
                    case END -> caller.end();
                    default -> {}
                }
                if (!words[0].equals(END)) {
                    answers.println(NEXT + " " + number);
                }
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        } catch (BigtableException | RuntimeException | Error failure) {
            // Errors too: whoever waits for this caller would wait for ever.
            answers.println(FAILED + " " + failure);
        }
    }
}
