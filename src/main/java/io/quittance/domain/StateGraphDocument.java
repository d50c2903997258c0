package io.quittance.domain;

/** The state graph as a page for people, drawn from the same edges that the code obeys. */
public final class StateGraphDocument {

    private static final String HEAD = """
            <!-- Generated from io.quittance.domain.StateGraph: do not edit.
                 Renew it with: mvn test -Dtest=StateGraphDocumentTest -Dstates.write=true -->
            # States

            This page is generated from the state graph that the code obeys and that `check` proves on a live database.
            A change of state that is not listed here cannot be written. Every change has an entry in the audit trail.
            """;

    private StateGraphDocument() {}

    /** The whole page, in Markdown. */
    public static String render() {
        StringBuilder page = new StringBuilder(HEAD);
        StateGraph.all().forEach(machine -> append(page, machine));
        return page.toString();
    }

    private static void append(StringBuilder page, StateMachine<?> machine) {
        page.append("\n## ").append(machine.entity()).append("\n\n```mermaid\nstateDiagram-v2\n");
        machine.initialStates()
                .forEach(state ->
                        page.append("    [*] --> ").append(state.name()).append('\n'));
        machine.forEachEdge((from, to, when) -> page.append("    ")
                .append(from.name())
                .append(" --> ")
                .append(to.name())
                .append('\n'));
        page.append("```\n\n| from | to | when |\n|---|---|---|\n");
        machine.initialStates().forEach(state -> row(page, "(new)", state.name(), "where it may begin"));
        machine.forEachEdge((from, to, when) -> row(page, from.name(), to.name(), when));
    }

    private static void row(StringBuilder page, String from, String to, String when) {
        page.append("| ")
                .append(from)
                .append(" | ")
                .append(to)
                .append(" | ")
                .append(when.replace("|", "\\|"))
                .append(" |\n");
    }
}
