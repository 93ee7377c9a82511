/**
 * Writes {@code docs/reference-generated.md}: everything that has a name in Tidemark, in one page
 * that is made of the code. {@code examples/templates.sh} runs {@link
 * dev.tidemark.examples.reference.ReferencePage}; a test fails where page and code differ.
 */
package dev.tidemark.examples.reference;
