/**
 * Catalogs: what a pipeline knows of an Iceberg catalog ({@link
 * dev.tidemark.catalog.CatalogConfig}) and the one live catalog each configuration has in a JVM.
 *
 * <p>A catalog is cached by its whole configuration, never by the name of a table or of the
 * catalog, so that two catalogs with a table of the same name do not meet. It stays open for the
 * life of the JVM: its file access is shared by every writer and reader.
 */
package dev.tidemark.catalog;
