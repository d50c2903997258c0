package io.quittance.loadtest.gatling;

/** The checkout journey at a moderate rate for a long time. */
public final class SoakSimulation extends CheckoutSimulation {}
