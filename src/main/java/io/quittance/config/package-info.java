/** The configuration: one YAML file and the environment, read once, every mistake listed, secrets never shown. */
@NullMarked
package io.quittance.config;

import org.jspecify.annotations.NullMarked;
