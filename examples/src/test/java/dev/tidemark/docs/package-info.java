/** Holds what the documentation shows to be true: its Java compiles, and its commands run. */
package dev.tidemark.docs;
