package bt.main;

class ExamplesTest extends ExamplesContract {}
