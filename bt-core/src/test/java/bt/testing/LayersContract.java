package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What holds for the packages of every module. Each module's {@code LayersTest} brings its part of the table. */
public abstract class LayersContract {
    private final Layers layers;

    protected LayersContract(Layers layers) {
        this.layers = layers;
    }

    @Test
    void everyPackageHasARowInTheTable() {
        assertThat(layers.unknownPackages()).isEmpty();
    }

    @Test
    void everyPackageImportsOnlyWhatTheTableAllows() {
        assertThat(layers.forbiddenImports()).isEmpty();
    }

    @Test
    void packagesAreFreeOfCycles() {
        assertThat(layers.cycles()).isEmpty();
    }

    /** Of the exceptions of REJECTED and of wrong words the constructors see to it. */
    @Test
    void whatIsRefusedSaysWhatToDo() {
        assertThat(layers.refusalsWithoutAdvice()).isEmpty();
    }

    @Test
    void noPackageIsNamedAfterNothing() {
        assertThat(layers.shapelessPackages()).isEmpty();
    }
}
