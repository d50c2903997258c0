package io.quittance.loadtest;

/** Limits that figures are set against. */
public final class Limit {

    private Limit() {}

    /** In words: whether a figure is within its limit. */
    public static String verdict(double measured, double limit, String unit) {
        return (measured <= limit ? "within " : "OVER ") + limit + " " + unit;
    }
}
