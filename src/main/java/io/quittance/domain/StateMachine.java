package io.quittance.domain;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The legal states and edges of one kind of entity. Every edge says when it is taken.
 *
 * @param <S> the status
 */
public final class StateMachine<S extends Enum<S>> {

    private final String entity;
    private final Class<S> type;
    private final Set<S> initial;
    private final Map<S, Map<S, String>> edges;

    private StateMachine(Builder<S> builder) {
        this.entity = builder.entity;
        this.type = builder.type;
        this.initial = builder.initial;
        this.edges = builder.edges;
    }

    static <S extends Enum<S>> Builder<S> of(String entity, Class<S> type) {
        return new Builder<>(entity, type);
    }

    /** The name under which the audit trail keeps this kind of entity. */
    public String entity() {
        return entity;
    }

    public Class<S> type() {
        return type;
    }

    /** Whether an entity may begin its life in this state. */
    public boolean startsIn(S state) {
        return initial.contains(state);
    }

    public boolean allows(S from, S to) {
        return edgesFrom(from).containsKey(to);
    }

    /** The states in which an entity may begin its life, in the order in which they are declared. */
    public Set<S> initialStates() {
        return Collections.unmodifiableSet(initial);
    }

    /** Hands over every edge, in the order in which states are declared and edges are stated. */
    public void forEachEdge(EdgeVisitor visitor) {
        edges.forEach((from, targets) -> targets.forEach((to, when) -> visitor.edge(from, to, when)));
    }

    /** Is shown edges, each with the case in which it is taken. */
    @FunctionalInterface
    public interface EdgeVisitor {
        void edge(Enum<?> from, Enum<?> to, String when);
    }

    /** Where one can go from a state, and when. */
    public Map<S, String> edgesFrom(S from) {
        return edges.getOrDefault(from, Map.of());
    }

    /**
     * Insists on a legal edge.
     *
     * @throws IllegalArgumentException if there is none
     */
    void require(S from, S to) {
        if (!allows(from, to)) {
            throw new IllegalArgumentException(entity + " has no edge " + from + " -> " + to);
        }
    }

    static final class Builder<S extends Enum<S>> {
        private final String entity;
        private final Class<S> type;
        private final EnumSet<S> initial;
        private final EnumMap<S, Map<S, String>> edges;

        private Builder(String entity, Class<S> type) {
            this.entity = entity;
            this.type = type;
            this.initial = EnumSet.noneOf(type);
            this.edges = new EnumMap<>(type);
        }

        Builder<S> startsIn(S state) {
            initial.add(state);
            return this;
        }

        Builder<S> edge(S from, S to, String when) {
            if (edges.computeIfAbsent(from, key -> new LinkedHashMap<>()).put(to, when) != null) {
                throw new IllegalStateException("edge stated twice: " + from + " -> " + to);
            }
            return this;
        }

        StateMachine<S> build() {
            return new StateMachine<>(this);
        }
    }
}
