package bt.thrift.gen;

import static org.assertj.core.api.Assertions.assertThat;

import bt.thrift.gen.Idl.Call;
import bt.thrift.gen.Idl.Field;
import bt.thrift.gen.Idl.Struct;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.thrift.TBase;
import org.apache.thrift.TEnum;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolDecorator;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The generated classes are of the interface as it is: by what they say of themselves, and by what they put on the wire. It takes
 * no compiler, so that a change of the one without the other fails in every build.
 */
class InterfaceTest {
    private static Idl idl;
    private static Samples samples;

    @BeforeAll
    static void read() throws Exception {
        idl = Idl.read(Path.of("src/main/thrift/bt.thrift"));
        samples = new Samples(idl);
        assertThat(idl.enums()).hasSizeGreaterThan(4);
        assertThat(idl.structs()).hasSizeGreaterThan(30);
        assertThat(idl.calls()).hasSizeGreaterThan(20);
    }

    @Test
    void thereIsAClassForEachTypeAndNoOther() throws Exception {
        Set<String> types = new TreeSet<>(idl.structs().keySet());
        types.addAll(idl.enums().keySet());
        types.add("Gateway");
        try (Stream<Path> sources = Files.list(Path.of("src/main/java/bt/thrift/gen"))) {
            assertThat(sources.map(file -> file.getFileName().toString().replace(".java", ""))
                            .filter(name -> !name.equals("package-info")))
                    .containsExactlyInAnyOrderElementsOf(types);
        }
    }

    @Test
    void constantsHaveTheirNumbers() throws Exception {
        for (Map.Entry<String, Map<String, Integer>> each : idl.enums().entrySet()) {
            Map<String, Integer> generated = new TreeMap<>();
            for (Object constant : Generated.classOf(each.getKey()).getEnumConstants()) {
                generated.put(constant.toString(), ((TEnum) constant).getValue());
            }
            assertThat(generated).as(each.getKey()).isEqualTo(each.getValue());
            for (int number : each.getValue().values()) {
                assertThat(Generated.constant(each.getKey(), number).getValue()).isEqualTo(number);
            }
        }
    }

    @Test
    void structsHaveTheirFieldsAndSendThem() throws Exception {
        for (Map.Entry<String, Struct> each : idl.structs().entrySet()) {
            Class<?> generated = Generated.classOf(each.getKey());
            boolean isUnion = each.getValue().kind().equals("union");
            assertThat(Exception.class.isAssignableFrom(generated))
                    .as(each.getKey())
                    .isEqualTo(each.getValue().kind().equals("exception"));
            checkFields(each.getKey(), generated, each.getValue().fields(), isUnion);
            if (isUnion) {
                for (Field field : each.getValue().fields()) {
                    checkWire(generated, List.of(field));
                }
            } else {
                checkWire(generated, each.getValue().fields());
            }
        }
    }

    @Test
    void callsHaveTheirParametersResultsAndFailures() throws Exception {
        Map<String, Class<?>> nested = new TreeMap<>();
        Arrays.stream(Gateway.class.getDeclaredClasses()).forEach(each -> nested.put(each.getSimpleName(), each));
        Set<String> expected = new TreeSet<>();
        for (Map.Entry<String, Call> each : idl.calls().entrySet()) {
            Call call = each.getValue();
            List<Field> results = new ArrayList<>();
            if (!call.result().equals("void")) {
                results.add(new Field(0, false, call.result(), "success"));
            }
            results.addAll(call.failures());
            Map<String, List<Field>> structs =
                    Map.of(each.getKey() + "_args", call.parameters(), each.getKey() + "_result", results);
            for (Map.Entry<String, List<Field>> struct : structs.entrySet()) {
                assertThat(nested).containsKey(struct.getKey());
                checkFields(struct.getKey(), nested.get(struct.getKey()), struct.getValue(), false);
            }
            checkWire(nested.get(each.getKey() + "_args"), call.parameters());
            for (Field result : results) {
                checkWire(nested.get(each.getKey() + "_result"), List.of(result));
            }
            expected.addAll(structs.keySet());
        }
        assertThat(nested.keySet().stream().filter(name -> name.endsWith("_args") || name.endsWith("_result")))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void callsAreSentAndFoundByTheirNames() throws Exception {
        Gateway.Iface nobody = (Gateway.Iface) Proxy.newProxyInstance(
                Gateway.class.getClassLoader(), new Class<?>[] {Gateway.Iface.class}, (proxy, method, args) -> {
                    throw new AssertionError(method);
                });
        assertThat(new Gateway.Processor<>(nobody).getProcessMapView().keySet())
                .containsExactlyInAnyOrderElementsOf(idl.calls().keySet());
        for (Map.Entry<String, Call> each : idl.calls().entrySet()) {
            TMemoryBuffer sent = new TMemoryBuffer(1_024);
            Gateway.Client client = new Gateway.Client(new TCompactProtocol(sent));
            List<Object> words = new ArrayList<>();
            for (Field field : each.getValue().parameters()) {
                words.add(samples.of(field.type()));
            }
            send(each.getKey()).invoke(client, words.toArray());
            TProtocol received = new TCompactProtocol(sent);
            assertThat(received.readMessageBegin().name).isEqualTo(each.getKey());
            Class<?> args = Class.forName("bt.thrift.gen.Gateway$" + each.getKey() + "_args");
            TBase<?, ?> read = Generated.make(args);
            read.read(received);
            assertThat((Object) read).isEqualTo(samples.of(args, each.getValue().parameters()));
        }
    }

    private static Method send(String call) {
        return Arrays.stream(Gateway.Client.class.getMethods())
                .filter(method -> method.getName().equals("send_" + call))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nobody sends " + call));
    }

    private static void checkFields(String name, Class<?> generated, List<Field> fields, boolean isUnion)
            throws ReflectiveOperationException {
        assertThat(Generated.fields(generated))
                .as(name)
                .isEqualTo(fields.stream()
                        // Of a union each may be absent.
                        .map(field -> new Field(field.id(), field.isOptional() || isUnion, field.type(), field.name()))
                        .toList());
    }

    /** That it sends each of these fields with its number and type, and reads back what it sent. */
    private static void checkWire(Class<?> generated, List<Field> fields) throws Exception {
        TBase<?, ?> sample = samples.of(generated, fields);
        TMemoryBuffer wire = new TMemoryBuffer(1_024);
        Recorder recorder = new Recorder(new TCompactProtocol(wire));
        sample.write(recorder);
        assertThat(recorder.sent)
                .as(generated.getSimpleName())
                .isEqualTo(fields.stream()
                        .map(field -> field.id() + " " + onWire(field.type()))
                        .toList());
        TBase<?, ?> read = Generated.make(generated);
        read.read(new TCompactProtocol(wire));
        assertThat((Object) read).as(generated.getSimpleName()).isEqualTo(sample);
    }

    private static int onWire(String type) {
        if (type.startsWith("list<")) {
            return TType.LIST;
        }
        if (type.startsWith("map<")) {
            return TType.MAP;
        }
        if (idl.structs().containsKey(type)) {
            return TType.STRUCT;
        }
        return switch (type) {
            case "bool" -> TType.BOOL;
            case "i64" -> TType.I64;
            case "string", "binary" -> TType.STRING;
            // And an enum's constant.
            default -> TType.I32;
        };
    }

    /** The fields of the outermost struct, as they are written. */
    private static final class Recorder extends TProtocolDecorator {
        private final List<String> sent = new ArrayList<>();
        private int depth;

        Recorder(TProtocol protocol) {
            super(protocol);
        }

        @Override
        public void writeStructBegin(TStruct struct) throws TException {
            depth++;
            super.writeStructBegin(struct);
        }

        @Override
        public void writeStructEnd() throws TException {
            depth--;
            super.writeStructEnd();
        }

        @Override
        public void writeFieldBegin(TField field) throws TException {
            if (depth == 1) {
                sent.add(field.id + " " + field.type);
            }
            super.writeFieldBegin(field);
        }
    }
}
