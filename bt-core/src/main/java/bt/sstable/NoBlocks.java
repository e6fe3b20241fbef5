package bt.sstable;

/** Where a cursor finds nothing that stands in no file. */
enum NoBlocks implements BlockSource {
    NONE;

    @Override
    public String path() {
        return "no file";
    }

    @Override
    public long end() {
        return 0;
    }

    @Override
    public Block block(BlockHandle handle) {
        throw new IllegalStateException("a cursor that has left its file");
    }
}
