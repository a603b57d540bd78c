/// A step of the schema: events by keys that are numbers and not bytes, in the order of columns that takes the least
/// room (SCALE.md, 3.1), and a primary key on every table.
enum PostgreSQLEventsSchema {
  /// What is there is not copied now: its table is given another name and is moved while everything goes on
  /// (``PostgreSQLMove``). The days of which events come are made at once, all others by whoever looks after them; who
  /// might use the old table may use the new one. It waits for nobody who reads for long, and keeps nobody waiting.
  static let step = """
    SET LOCAL lock_timeout = '1s';
    ALTER TABLE luna.schema ADD PRIMARY KEY (version);
    ALTER TABLE luna.busy ALTER heid TYPE uuid USING encode(heid, 'hex')::uuid;
    ALTER TABLE luna.events RENAME TO events_old;
    CREATE TABLE luna.events(
      received int8 NOT NULL, day int4 NOT NULL, esf int4 NOT NULL, version int2 NOT NULL,
      heid uuid NOT NULL, event_id uuid NOT NULL, location bytea NOT NULL, debug text,
      PRIMARY KEY(heid, day, event_id)) PARTITION BY RANGE (day);
    DO $$
      DECLARE
        day int4;
        newest int4;
        allowed record;
      BEGIN
        FOR allowed IN
          SELECT DISTINCT grantee::regrole::text AS role, privilege_type AS deed
          FROM pg_class, aclexplode(relacl)
          WHERE oid = 'luna.events_old'::regclass AND grantee NOT IN (0, relowner)
        LOOP
          EXECUTE format('GRANT %s ON luna.events TO %s', allowed.deed, allowed.role);
        END LOOP;
        FOR day IN
          SELECT substr(relname, 8)::int4 FROM pg_class
          WHERE relnamespace = 'luna'::regnamespace AND relkind = 'r' AND relname ~ '^events_[0-9]+$'
          ORDER BY 1 DESC
        LOOP
          newest := coalesce(newest, day);
          EXECUTE format('ALTER TABLE luna.events_%1$s RENAME TO events_old_%1$s', day);
          IF day > newest - 46 THEN
            EXECUTE format('CREATE TABLE luna.events_%s (LIKE luna.events INCLUDING ALL)', day);
            EXECUTE format(
              'ALTER TABLE luna.events ATTACH PARTITION luna.events_%1$s FOR VALUES FROM (%1$s) TO (%2$s)',
              day, day + 1);
          END IF;
        END LOOP;
        IF newest IS NULL THEN DROP TABLE luna.events_old; END IF;
      END $$;
    """
}
