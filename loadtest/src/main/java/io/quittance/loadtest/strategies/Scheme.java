package io.quittance.loadtest.strategies;

/** The schemes that are compared, in the order of the table. */
enum Scheme {
    NONE("none", "reads, decides and writes statement by statement, with nothing against races"),
    PESSIMISTIC("pessimistic", "SELECT ... FOR UPDATE of the order in a transaction of its own for each notification"),
    OPTIMISTIC(
            "optimistic", "a version column in a transaction of its own for each notification, tried again when lost"),
    LOCK("lock", "Redis dedup, a Redis lock on the order, and a state machine row by row in a transaction"),
    QUITTANCE("quittance", "this gateway's engine: batches, one guarded statement for many orders");

    private final String label;
    private final String description;

    Scheme(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /** Its name in tables and files. */
    String label() {
        return label;
    }

    String description() {
        return description;
    }
}
