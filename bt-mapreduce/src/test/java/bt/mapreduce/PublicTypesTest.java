package bt.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import bt.mapreduce.input.TableInputFormat;
import bt.mapreduce.output.TableOutputFormat;
import bt.testing.PublicTypes;
import org.junit.jupiter.api.Test;

/** What a job's program sees of us is made for programs: nothing of the wire or of servers. */
class PublicTypesTest {
    @Test
    void showNoTypeThatIsNot() throws Exception {
        PublicTypes types = PublicTypes.ofPackages(TableJob.class, TableInputFormat.class, TableOutputFormat.class);
        assertThat(types.members())
                .anyMatch(member -> member.contains(" bt.mapreduce.TableJob.read("))
                .anyMatch(member -> member.contains(" bt.mapreduce.input.TableInput("))
                .anyMatch(member -> member.contains(" bt.mapreduce.output.TableOutput("))
                .hasSizeGreaterThan(50);
        assertThat(types.internal()).isEmpty();
    }
}
