package bt.doctor;

/** A file of the lock service, and what is wrong with who may do what with it; "" where nothing is. */
record GuardedFile(String path, String wrong) implements Facts {
    @Override
    public String version() {
        return wrong;
    }
}
