/**
 * The command line {@code tidemark}: asks and waits until when an Iceberg table is finalized, and
 * lets operators act on it.
 *
 * <pre>
 * tidemark check   --catalog lake --property type=hadoop --property warehouse=/lake \
 *                  --table db.events --partition 2026-01-01-05
 * tidemark wait    ... --start 2026-01-01 --end 2026-01-02 --zone Europe/Berlin --timeout 2h
 * tidemark show    ...
 * tidemark history ... --limit 50 --json
 * tidemark report  ... --output report.html --zone Europe/Berlin
 * tidemark simulate ... --policy 'minOfMins(12, PT1H)' --output simulation.html
 * tidemark doctor  ...
 * tidemark pause   ... --reason "source audit"
 * </pre>
 *
 * <h2>Exit codes</h2>
 *
 * <ul>
 *   <li>0: finalized; all other verbs: done
 *   <li>1: error, said in one line on standard error
 *   <li>2: wrong usage
 *   <li>3: not finalized yet, not covered, or invalidated
 *   <li>4: {@code wait} timed out
 *   <li>5: finalized, and late data was seen (only with {@code --fail-on-late})
 *   <li>6: {@code doctor} found an error (with {@code --fail-on warning}: or a warning)
 * </ul>
 *
 * <p>Of several tables the worst counts: 1, then 3, then 4, then 5, then 0.
 *
 * <h2>JSON</h2>
 *
 * <p>With {@code --json} each verb writes one JSON object to standard output. Instants are ISO-8601
 * in UTC, durations milliseconds in names that end in {@code Ms}, and snapshot ids are strings,
 * since they exceed what many JSON readers keep of a number. What is not known is null. Fields may
 * be added.
 *
 * <h2>Secrets</h2>
 *
 * <p>Values of catalog properties are never printed. Give credentials in {@code --properties-file}
 * rather than in {@code --property}: arguments are visible to other users of a machine.
 */
package dev.tidemark.cli;
