/** An embedded Flink cluster, a source with known elements, and crashes at named points. */
package dev.tidemark.flink.testing;
