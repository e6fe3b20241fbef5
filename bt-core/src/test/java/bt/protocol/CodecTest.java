package bt.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Retry;
import bt.base.UnavailableException;
import bt.metadata.Schemas;
import bt.model.AccessList;
import bt.model.Bloom;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.FilterSize;
import bt.model.FilterText;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.LocalityGroup;
import bt.model.Quotas;
import bt.model.Regex;
import bt.model.Right;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableAccess;
import bt.model.TableSchema;
import bt.record.AlterTable;
import bt.record.ChangeAccess;
import bt.record.CheckTable;
import bt.record.CreateTable;
import bt.record.FamilyRecord;
import bt.record.FileReference;
import bt.record.QuotaStand;
import bt.record.Records;
import bt.record.RuleKind;
import bt.record.RuleRecord;
import bt.record.ServerStatusRequest;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.UserBytes;
import bt.record.UserRights;
import bt.record.WorkReport;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

class CodecTest {
    @Test
    void anUnknownKindIsCorruptionThatNamesTheField() {
        assertThatThrownBy(() -> decode(new Output().u8(9)))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("request kind 9 is unknown");
    }

    @Test
    void aWriteIsTheSameBytesWhereItsLongValueIsLent() throws BigtableException {
        RowMutation mutation = RowMutation.of("r")
                .set("f", "short", "v")
                .set("f", "long", "v".repeat(5_000))
                .build();
        Request request = new Request.Mutate(1, List.of(new Write(mutation, new WriteId(1, 1, 1), Optional.empty())));
        Output lending = Output.borrowing(16);
        Codec.encode(request, lending);
        assertThat(lending.size()).isLessThan(5_000);
        ByteBuffer written = ByteBuffer.allocate(lending.total());
        int unused = lending.writeTo(written);
        assertThat(written.array()).isEqualTo(encoded(request).toArray());
        // Nor is room made for what stays where it is.
        assertThat(lending.array().length).isLessThan(1_000);
    }

    @Test
    void anUnknownKindOfChangeIsCorruptionThatNamesTheField() {
        Output out = new Output().u8(1).varint(7).varint(1).bytes(Bytes.utf8("row"));
        out.u64(1).varint(1).varint(1).u8(0).varint(1).u8(77);
        assertThatThrownBy(() -> decode(out))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("change kind 77 is unknown");
    }

    @Test
    void aCountThatTheRestCannotHoldIsRefusedBeforeRoomIsMade() {
        Output out = new Output().u8(1).varint(7).varint(Integer.MAX_VALUE).u64(0);
        assertThatThrownBy(() -> decode(out))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("writes is 2147483647");
    }

    @Test
    void aMutationWithoutAChangeIsTheCallersMistake() {
        Output out = new Output().u8(1).varint(7).varint(1).bytes(Bytes.utf8("a row of some length"));
        out.u64(1).varint(1).varint(1).u8(0).varint(0);
        assertThatThrownBy(() -> decode(out))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("a mutation changes something");
    }

    @Test
    void moreWritesThanOneRequestMayHoldAreTheCallersMistake() {
        Write write = new Write(RowMutation.of("r").deleteRow().build(), new WriteId(1, 1, 1), Optional.empty());
        List<Write> writes = Collections.nCopies(MutateCodec.WRITES_PER_REQUEST + 1, write);
        assertThatThrownBy(() -> decode(encoded(new Request.Mutate(1, writes))))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("100001 writes in a request, more than 100000");
    }

    /** What is longer would be thrown away, and nobody told what became of the writes. */
    @Test
    void theAnswerToTheMostWritesFitsAFrameWhateverTheirFailuresSay() throws BigtableException {
        String words = "ä".repeat(FailureCodec.MESSAGE_CHARS + 1);
        WriteResult failed = WriteResult.failed(new UnavailableException(words, Outcome.NOT_APPLIED));
        Answer.Mutated answer = new Answer.Mutated(Collections.nCopies(MutateCodec.WRITES_PER_REQUEST, failed));
        Output out = new Output();
        Codec.encode(answer, out);
        assertThat(out.size()).isLessThan(10 << 20);
        Answer.Mutated decoded =
                (Answer.Mutated) Codec.decodeAnswer(new Input("answer", 0, out.array(), 0, out.size()));
        assertThat(decoded.results()).hasSize(MutateCodec.WRITES_PER_REQUEST);
        assertThat(decoded.results().stream()
                        .map(result -> result.failure().orElseThrow().getMessage())
                        .distinct())
                .containsExactly("ä".repeat(40));
    }

    /** Whoever asked tries again too, and says what there is to do when that was in vain. */
    @Test
    void aFailureThatWasGivenUpTravelsWithoutWhatThereIsToDo() throws BigtableException {
        BigtableException failure =
                Retry.givenUp("METADATA row 4", new UnavailableException("no answer", Outcome.NOT_APPLIED));
        assertThat(failure).hasMessageStartingWith("METADATA row 4: no answer (given up): try again later");
        Output out = new Output();
        FailureCodec.encode(failure, out);
        assertThat(FailureCodec.decode(new Input("failure", 0, out.array(), 0, out.size())))
                .hasMessage("METADATA row 4: no answer (given up)");
    }

    @Test
    void changesAreCountedOverAllWritesOfARequest() {
        RowMutation many = new RowMutation(Bytes.utf8("r"), Collections.nCopies(80_000, new Change.DeleteRow()));
        Write write = new Write(many, new WriteId(1, 1, 1), Optional.empty());
        assertThatThrownBy(() -> decode(encoded(new Request.Mutate(1, Collections.nCopies(3, write)))))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("240000 changes in a request");
    }

    @Test
    void filtersNestTwentyDeepAndNoDeeper() throws BigtableException {
        Request.Scan deepest = scan(nested(Limits.FILTER_DEPTH));
        assertThat(decode(encoded(deepest))).isEqualTo(deepest);
        assertThatThrownBy(() -> nested(Limits.FILTER_DEPTH + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nested deeper than 20");
    }

    @Test
    void aFilterNestedTenThousandDeepIsRefusedWithTheSameLineBeforeItIsWalked() {
        Output chains = new Output();
        for (int i = 0; i < 10_000; i++) {
            chains.u8(Filter.Kind.CHAIN.number()).varint(1);
        }
        refused(chains, "nested deeper than 20");
    }

    @Test
    void aFilterOfTooManyPartsIsRefusedWithTheSameLine() {
        List<Filter> many = Collections.nCopies(Limits.FILTER_PARTS, Filter.ALL);
        assertThatThrownBy(() -> new Filter.Chain(many)).hasMessageContaining("501 parts, more than 500");
        Output chain = new Output().u8(Filter.Kind.CHAIN.number()).varint(many.size());
        many.forEach(part -> chain.u8(part.kind().number()));
        refused(chain, "501 parts, more than 500");
    }

    @Test
    void aFilterIsNoLongerThanItMayBe() {
        String source = "x".repeat(Limits.FILTER_BYTES);
        assertThatThrownBy(() -> new Filter.Script("groovy", source, Bytes.EMPTY))
                .hasMessageContaining("more than 20480");
        refused(
                new Output()
                        .u8(Filter.Kind.SCRIPT.number())
                        .text("groovy")
                        .text(source)
                        .bytes(Bytes.EMPTY),
                "more than 20480");
    }

    @Test
    void aRegularExpressionThatUnfoldsTooFarIsRefusedWithTheSameLine() {
        String regex = "((x{1000}){1000}){1000}";
        assertThatThrownBy(() -> Regex.of(regex)).hasMessageContaining("steps, more than 2000");
        refused(new Output().u8(Filter.Kind.MATCHES.number()).u8(1).text(regex), "steps, more than 2000");
    }

    /** Ten bytes of a regular expression are 60,000 once they are compiled, and anybody may send them. */
    @Test
    void theRegularExpressionsOfAFilterAreCountedAndNotCompiled() {
        Output too = regexes(0, 11);
        long counted = allocatedBy(() -> refused(too, "unfold to 21671 steps together, more than 20000"));
        assertThat(20 * counted).isLessThan(allocatedByCompilingTen());
        Output many = regexes(0, 499);
        assertThat(allocatedBy(() -> refused(many, "more than 20000"))).isLessThan(allocatedByCompilingTen());
        // Parts are too: what is beside them is not made.
        Output parts = new Output().u8(Filter.Kind.INTERLEAVE.number()).varint(10_000);
        for (int i = 0; i < 10_000; i++) {
            parts.u8(Filter.Kind.ALL.number());
        }
        refused(parts, "filter: 501 parts, more than 500");
    }

    @Test
    void theRegularExpressionsOfAllFiltersOfARequestAreCountedTogether() {
        Output few = conditions(11, 10);
        Output many = conditions(2_000, 10);
        long most =
                allocatedBy(() -> rejected(few, "unfold to 200942 steps, more than 200000: send its writes in parts"));
        // What came is copied.
        assertThat(allocatedBy(() -> rejected(many, "more than 200000"))).isLessThan(2 * most + 2L * many.size());
        assertThat(most).isLessThan(allocatedByCompilingTen());
    }

    private static long allocatedByCompilingTen() {
        return allocatedBy(() -> {
            for (int i = 0; i < 10; i++) {
                Regex.of("0-" + i + "-a{980}");
            }
        });
    }

    /** Names are objects of sixty bytes each, and may be one byte on the wire. */
    @Test
    void theBytesOfAllFiltersOfARequestAreCountedTogether() {
        Output names = new Output().u8(Filter.Kind.FAMILIES.number()).varint(4_000);
        for (int i = 0; i < 4_000; i++) {
            names.text("");
        }
        Output request = writes(500);
        for (int i = 0; i < 500; i++) {
            write(i, names, request);
        }
        rejected(request, "its filters have 8388610 bytes, more than 8388608: send its writes in parts");
    }

    /** Of a condition of a transaction; one that was read would be of no known kind. */
    @Test
    void readsOfATransactionAreCountedBeforeTheyAreRead() {
        Output request = writes(1).bytes(Bytes.utf8("row")).u64(1).varint(1).varint(1);
        request.u8(Condition.Kind.SHOWS.number()).varint(Condition.Shows.MAX_SEEN + 1);
        for (int i = 0; i <= Condition.Shows.MAX_SEEN; i++) {
            request.varint(1).u8(77).raw(new byte[RowDigest.BYTES]);
        }
        rejected(request, "101 reads in a transaction, more than 100");
    }

    @Test
    void theMostWritesMayHaveAConditionEachAndEqualExpressionsAreOne() throws BigtableException {
        Filter filter = FilterText.parse("row~'a.*' & latest(1)");
        RowMutation mutation = RowMutation.of("r").set("f", "q", "v").build();
        Write write =
                new Write(mutation, new WriteId(1, 1, 1), Optional.of(new Condition.Passes(filter, false, List.of())));
        Request.Mutate decoded = (Request.Mutate)
                decode(encoded(new Request.Mutate(1, Collections.nCopies(MutateCodec.WRITES_PER_REQUEST, write))));
        assertThat(decoded.writes().get(0)).isEqualTo(write);
        assertThat(regex(decoded.writes().get(0)))
                .isSameAs(regex(decoded.writes().get(MutateCodec.WRITES_PER_REQUEST - 1)));
    }

    /** A transaction may have read so much, and its write is one request. */
    @Test
    void theMostThatATransactionReadsIsTaken() throws BigtableException {
        List<Condition.Seen> seen = new ArrayList<>();
        for (int i = 0; i < Condition.Shows.MAX_SEEN; i++) {
            Filter filter = FilterText.parse("row~'" + (char) ('A' + i / 10) + (char) ('A' + i % 10) + "x{996}'");
            assertThat(FilterSize.of(filter).steps()).isEqualTo(2_000);
            seen.add(new Condition.Seen(filter, Bytes.wrap(new byte[RowDigest.BYTES])));
        }
        RowMutation mutation = RowMutation.of("r").set("f", "q", "v").build();
        Write write = new Write(mutation, new WriteId(1, 1, 1), Optional.of(new Condition.Shows(seen)));
        Request.Mutate request = new Request.Mutate(1, List.of(write));
        assertThat(decode(encoded(request))).isEqualTo(request);
    }

    /** Nearly every request that writes has none, and what reads them would be half as much again. */
    @Test
    void aRequestWithoutFiltersMakesNothingToReadThemWith() {
        Write write = new Write(RowMutation.of("r").deleteRow().build(), new WriteId(1, 1, 1), Optional.empty());
        Output one = encoded(new Request.Mutate(1, List.of(write)));
        Output two = encoded(new Request.Mutate(1, List.of(write, write)));
        // What comes with the first write and not with another: the input, the request and its list.
        long beside = 2 * allocatedByDecoding(one) - allocatedByDecoding(two);
        assertThat(beside).isBetween(1L, 280L);
    }

    /** A thousand times, without what is made once. */
    private static long allocatedByDecoding(Output request) {
        Bytes bytes = request.toBytes();
        Runnable decoding = () -> {
            try {
                Request unused = Codec.decodeRequest(Input.of("request", bytes));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        };
        decoding.run();
        return allocatedBy(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        decoding.run();
                    }
                })
                / 1_000;
    }

    @Test
    void whatFiltersAreMadeIntoIsAskedRoomFor() throws BigtableException {
        Output names = new Output().u8(Filter.Kind.FAMILIES.number()).varint(3_000);
        for (int i = 0; i < 3_000; i++) {
            names.text("n");
        }
        Output manyNames = writes(100);
        for (int i = 0; i < 100; i++) {
            write(i, names, manyNames);
        }
        for (Output request : List.of(manyNames, conditions(10, 10))) {
            long[] room = new long[1];
            Request decoded = Codec.decodeRequest(Input.of("request", request.toBytes()), bytes -> room[0] += bytes);
            assertThat(decoded.kind()).isEqualTo(Request.Kind.MUTATE);
            assertThat(room[0]).isBetween(10L << 20, 60L << 20);
            assertThatThrownBy(() -> Codec.decodeRequest(Input.of("request", request.toBytes()), bytes -> {
                        throw new OverloadedException("no room for " + bytes, 1);
                    }))
                    .isInstanceOf(OverloadedException.class);
        }
    }

    private static Regex regex(Write write) {
        Condition.Passes passes = (Condition.Passes) write.condition().orElseThrow();
        return ((Filter.Matches) ((Filter.Chain) passes.filter()).filters().get(0)).regex();
    }

    /** An interleaving of so many, each of nearly 2,000 steps, that are there in no other. */
    private static Output regexes(int number, int count) {
        Output filter = new Output().u8(Filter.Kind.INTERLEAVE.number()).varint(count);
        for (int i = 0; i < count; i++) {
            String text = number + "-" + i + "-a{980}";
            filter.u8(Filter.Kind.MATCHES.number()).u8(Filter.Part.ROW.number()).text(text);
        }
        return filter;
    }

    /** Writes with a condition each that has so many regular expressions of its own. */
    private static Output conditions(int count, int regexes) {
        Output request = writes(count);
        for (int i = 0; i < count; i++) {
            write(i, regexes(i, regexes), request);
        }
        return request;
    }

    /** A request of so many writes, up to the first. */
    private static Output writes(int count) {
        return new Output().u8(Request.Kind.MUTATE.number()).varint(7).varint(count);
    }

    private static void write(int number, Output filter, Output request) {
        request.bytes(Bytes.utf8("row")).u64(1).varint(number).varint(0);
        request.u8(Condition.Kind.PASSES.number())
                .varint(filter.size())
                .raw(filter.toBytes().toArray());
        request.u8(0).varint(0).varint(1).u8(Change.Kind.DELETE_ROW.number());
    }

    private static void rejected(Output request, String message) {
        assertThatThrownBy(() -> decode(request))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining(message);
    }

    private static long allocatedBy(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** A scan, up to its filter. */
    private static Output wholeTable() {
        return new Output().u8(2).varint(7).u8(0).varint(1).bytes(Bytes.EMPTY).u8(0);
    }

    @Test
    void aScanOfNoRowsIsOfAnotherFormat() {
        Output out = new Output().u8(2).varint(7).u8(0).varint(0).varint(1).u8(1);
        out.varint(1).varint(1).varint(1).u8(0);
        assertThatThrownBy(() -> decode(out))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("a scan of no rows");
    }

    private static void refused(Output filter, String message) {
        Output scan = wholeTable();
        scan.varint(filter.size())
                .raw(filter.toBytes().toArray())
                .varint(1)
                .varint(1)
                .varint(1)
                .u8(0);
        assertThatThrownBy(() -> decode(scan))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aPageOfNoRowsIsTheCallersMistake() {
        Output out = wholeTable().varint(1).u8(1);
        out.varint(0).varint(1).varint(1).u8(0);
        assertThatThrownBy(() -> decode(out))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("a page of 0 rows");
    }

    @Test
    void bytesBehindARequestAreCorruption() {
        assertThatThrownBy(() -> decode(encoded(scan(Filter.ALL)).u8(0)))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("1 bytes after the end of the request");
    }

    @Test
    void recordsThatAreNotMessagesAreNeitherWrittenNorRead() {
        FileReference file = new FileReference("data/1/2/3", null, null, 1L, List.of(), null, 1L, 1L);
        assertThatThrownBy(() -> encoded(new Request.Control(file)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bt.record.FileReference is not a control message");
        assertThatThrownBy(() -> decode(
                        new Output().u8(3).text("java.lang.Runtime").u64(0).bytes(Bytes.EMPTY)))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("control message java.lang.Runtime is unknown");
    }

    @Test
    void aControlMessageOfAnotherVersionIsRefusedAndSaysWhatToDo() {
        assertThatThrownBy(() -> decode(new Output().u8(3).text("Done").u64(1).bytes(Bytes.EMPTY)))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("Done: schema 0000000000000001")
                .hasMessageContaining("upgrade the older");
    }

    /** A table's rule may hold rules; three bytes a level would reach the end of the stack in a frame of 1 MB. */
    @Test
    void aRecordThatHoldsItselfWithoutEndIsCorruption() {
        Output datum = new Output();
        for (int i = 0; i < 300_000; i++) {
            datum.u8(0).u8(0).u8(2);
        }
        Schema rule = Records.PROTOCOL.getType("bt.record.RuleRecord");
        assertThatThrownBy(() -> DatumCheck.check(rule, DatumCheck.ITEMS, Input.of("datum", datum.toBytes())))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("nested deeper than 40");
    }

    @Test
    void anArrayThatClaimsMoreItemsThanAMessageHoldsIsCorruption() {
        Schema schema = CreateTable.getClassSchema().getField("splitRows").schema();
        Output datum = new Output().varint(2L * Integer.MAX_VALUE);
        assertThatThrownBy(() -> DatumCheck.check(schema, DatumCheck.ITEMS, Input.of("datum", datum.toBytes())))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("has length 2147483647, not 0 to 1048576");
    }

    /** Who sends it need not have any right: 14 MB of it would be 220 MB in memory. */
    @Test
    void aTableOfMoreItemsThanAnyHasIsCorruption() {
        for (SpecificRecord message : List.of(
                new CreateTable(families(36_000), List.of()),
                new CheckTable(families(26_000)),
                new AlterTable(families(26_000)),
                new ChangeAccess(Collections.nCopies(21_000, new UserRights("u", List.of())), 1L))) {
            assertThatThrownBy(() -> decode(encoded(new Request.Control(message))))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining("not 0 to");
        }
    }

    /** All that the model allows at once. */
    @Test
    void theLargestTableThereMayBeIsDecoded() throws BigtableException {
        TreeMap<String, Set<Right>> users = new TreeMap<>();
        TreeMap<String, Long> quotas = new TreeMap<>();
        for (int i = 0; i < AccessList.MAX_USERS; i++) {
            users.put("user" + i, EnumSet.of(Right.READ, Right.WRITE, Right.SCRIPT, Right.ADMIN));
            quotas.put("user" + i, 1L);
        }
        AccessList list = new AccessList(users);
        TableAccess access = new TableAccess(list, new TreeMap<>(Map.of(1, list)));
        // With the group and the families themselves.
        int rules = Limits.SCHEMA_PARTS - 1 - Limits.FAMILIES;
        List<FamilySchema> families = IntStream.rangeClosed(1, Limits.FAMILIES)
                .mapToObj(i -> new FamilySchema(
                        i,
                        "f" + i,
                        "g",
                        new GcRule.Any(
                                Collections.nCopies((rules + i - 1) / Limits.FAMILIES, new GcRule.MaxVersions(7)))))
                .toList();
        TableSchema table = new TableSchema(
                1,
                "t",
                1,
                Limits.FAMILIES + 1,
                TableSchema.Durability.SYNC,
                families,
                List.of(new LocalityGroup("g", 64 << 10, "lz4", false, Bloom.ROW)),
                new Quotas(OptionalLong.empty(), OptionalLong.empty(), quotas),
                Optional.of(access));
        List<ByteBuffer> splits = Collections.nCopies(10_000, ByteBuffer.wrap(new byte[8]));
        CreateTable message = new CreateTable(Schemas.encode(table), splits);
        assertThat(decode(encoded(new Request.Control(message)))).isEqualTo(new Request.Control(message));
    }

    @Test
    void whatAControlMessageIsMadeIntoIsAskedRoomForBefore() throws BigtableException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<QuotaStand> quotas = List.of(new QuotaStand(1L, 1L, Collections.nCopies(100_000, new UserBytes("", 1L))));
        ServerStatusRequest status = ServerStatusRequest.newBuilder()
                .setMasterEpoch(0)
                .setQuotas(quotas)
                .build();
        ServerStatusRequest logs = ServerStatusRequest.newBuilder()
                .setMasterEpoch(0)
                .setLogsBeingClosed(Collections.nCopies(100_000, 1L << 40))
                .build();
        for (SpecificRecord message : List.of(
                status,
                logs,
                new CreateTable(families(10_000), List.of()),
                new CreateTable(families(1), Collections.nCopies(10_000, ByteBuffer.wrap(new byte[100]))))) {
            Input in = Input.of("request", encoded(new Request.Control(message)).toBytes());
            long[] room = new long[2];
            Request unused = Codec.decodeRequest(in, bytes -> {
                room[0] = bytes;
                room[1] = threads.getCurrentThreadAllocatedBytes();
            });
            long made = threads.getCurrentThreadAllocatedBytes() - room[1];
            // What Avro needs on its way there is garbage at once.
            assertThat(room[0]).as(message.getSchema().getName()).isBetween(made / 3, made * 3);
        }
        Input in = Input.of("request", encoded(new Request.Control(status)).toBytes());
        assertThatThrownBy(() -> Codec.decodeRequest(in, bytes -> {
                    throw new OverloadedException("no room for " + bytes, 1);
                }))
                .isInstanceOf(OverloadedException.class);
    }

    @Test
    void whatIsAnAnswerIsNoRequest() {
        assertThatThrownBy(() -> decode(encoded(new Request.Control(new WorkReport(List.of())))))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("control message WorkReport is an answer");
    }

    private static TableRecord families(int count) {
        FamilyRecord family = FamilyRecord.newBuilder()
                .setId(1)
                .setName("f")
                .setLocalityGroup("g")
                .setGarbage(new RuleRecord(RuleKind.KEEP_ALL, 0L, List.of()))
                .build();
        return TableRecord.newBuilder()
                .setId(1)
                .setName("t")
                .setVersion(1)
                .setNextFamilyId(2)
                .setSync(true)
                .setPhase(TablePhase.ACTIVE)
                .setFamilies(Collections.nCopies(count, family))
                .setGroups(List.of())
                .build();
    }

    @Test
    void aPageNamesRowAndFamilyOnce() {
        Output out = new Output();
        var column = ColumnKey.of("contents", "");
        var cell = new Cell(Bytes.utf8("com.cnn.www"), column, 3, Bytes.utf8("<html>"));
        Codec.encode(new Answer.Page(Collections.nCopies(100, cell), Optional.empty(), Optional.empty(), 1, 1), out);
        assertThat(out.size()).isLessThan(100 * (2 + 6) + 50);
    }

    @Test
    void cellsOfAPageAreMadeAsTheyAreGoneThrough() throws BigtableException {
        Output out = new Output();
        var cell = new Cell(Bytes.utf8("com.cnn.www"), ColumnKey.of("contents", ""), 3, Bytes.utf8("<html>"));
        int count = 20_000;
        Codec.encode(new Answer.Page(Collections.nCopies(count, cell), Optional.empty(), Optional.empty(), 1, 1), out);
        Input in = new Input("answer", 0, out.array(), 0, out.size());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Answer.Page page = (Answer.Page) Codec.decodeAnswer(in);
        Iterator<Cell> cells = page.cells().iterator();
        Cell first = cells.next();
        // Each that is made takes two objects at least.
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(count);
        assertThat(first).isEqualTo(cell);
        assertThat(page.cells()).hasSize(count);
        assertThat(page.bytes()).isBetween(count * (long) cell.value().length(), (long) out.size());
    }

    @Test
    void aPageIsRefusedBeforeAnyOfItsCellsIsAskedFor() {
        Output out = new Output();
        var cell = new Cell(Bytes.utf8("com.cnn.www"), ColumnKey.of("contents", ""), 3, Bytes.utf8("<html>"));
        Codec.encode(new Answer.Page(Collections.nCopies(3, cell), Optional.empty(), Optional.empty(), 1, 1), out);
        Input cut = new Input("answer", 0, out.array(), 0, out.size() - 1);
        assertThatThrownBy(() -> Codec.decodeAnswer(cut))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("answer at")
                .hasMessageContaining("value");
        byte[] unnamed = out.toArray();
        // The family's name of the first cell: an empty one, and what was the name is the qualifier.
        unnamed[new String(unnamed, StandardCharsets.ISO_8859_1).indexOf("contents") - 1] = 0;
        assertThatThrownBy(() -> Codec.decodeAnswer(new Input("answer", 0, unnamed, 0, unnamed.length)))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("a column has no family");
    }

    private static Filter nested(int depth) {
        Filter filter = Filter.ALL;
        for (int i = 1; i < depth; i++) {
            filter = i % 2 == 0
                    ? new Filter.Chain(List.of(filter, Filter.ALL))
                    : new Filter.Interleave(List.of(filter, Filter.ALL));
        }
        return filter;
    }

    private static Request.Scan scan(Filter filter) {
        return new Request.Scan(7, RowRange.ALL, filter, PageBounds.DEFAULT, Optional.empty());
    }

    private static Output encoded(Request request) {
        Output out = new Output();
        Codec.encode(request, out);
        return out;
    }

    private static Request decode(Output out) throws BigtableException {
        return Codec.decodeRequest(Input.of("request", out.toBytes()));
    }
}
