package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.Scheduler;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Writes and reads the registers of one tablet, which another worker may do too. */
final class RegisterChore implements Chore {
    private static final int PAUSE_MILLIS = 40;

    private final String name;
    private final List<Register> registers;
    private final boolean checks;
    private final AtomicLong values;
    private final SplittableRandom random;
    private final Scheduler scheduler;

    /** Of those who share registers one checks them. Values are drawn from one counter for all. */
    RegisterChore(
            String name,
            List<Register> registers,
            boolean checks,
            AtomicLong values,
            SplittableRandom random,
            Scheduler scheduler) {
        this.name = name;
        this.registers = registers;
        this.checks = checks;
        this.values = values;
        this.random = random;
        this.scheduler = scheduler;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean step() throws InterruptedException {
        Register register = registers.get(random.nextInt(registers.size()));
        boolean answered = random.nextBoolean() ? register.write(values.incrementAndGet()) : register.read();
        scheduler.pause(random.nextInt(PAUSE_MILLIS));
        return answered;
    }

    @Override
    public void check() throws BigtableException {
        if (checks) {
            for (Register register : registers) {
                register.check();
            }
        }
    }
}
