package bt.examples.demo;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/** Some successive pages of one jar. MapReduce makes an empty one and has it read its fields. */
public final class PagesSplit extends InputSplit implements Writable {
    private String jar = "";
    private int first;
    private int count;
    private long bytes;

    public PagesSplit() {}

    PagesSplit(String jar, int first, int count, long bytes) {
        this.jar = jar;
        this.first = first;
        this.count = count;
        this.bytes = bytes;
    }

    String jar() {
        return jar;
    }

    int first() {
        return first;
    }

    int count() {
        return count;
    }

    @Override
    public long getLength() {
        return bytes;
    }

    @Override
    public String[] getLocations() {
        return new String[0];
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeUTF(jar);
        out.writeInt(first);
        out.writeInt(count);
        out.writeLong(bytes);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        jar = in.readUTF();
        first = in.readInt();
        count = in.readInt();
        bytes = in.readLong();
    }
}
