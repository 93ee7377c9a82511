/** What tests of schema transforms share. */
package dev.tidemark.schematransform.testing;
