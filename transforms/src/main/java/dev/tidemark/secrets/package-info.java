/**
 * References to secrets in configurations, which workers resolve: no secret is in a job graph, in
 * display data or in a log. {@link dev.tidemark.secrets.Secrets} has their form, {@link
 * dev.tidemark.secrets.Derived} makes values of texts that hold some.
 */
package dev.tidemark.secrets;
