package bt.examples.demo;

/** A bar that nobody looks at. */
final class Silence implements Bar {
    @Override
    public void at(long done, long total) {}

    @Override
    public void note(String text) {}
}
