package io.quittance.http;

/**
 * One thing that is wrong with a request.
 *
 * @param field the path of the member, for example {@code items[0].quantity}, or a header's name
 * @param problem what is wrong and what is wanted; never longer text of the sender's
 */
record Mistake(String field, String problem) {}
