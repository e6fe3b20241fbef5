package bt.arch;

import bt.main.ExamplesContract;

/** The commands of all modules. */
class ExamplesTest extends ExamplesContract {}
