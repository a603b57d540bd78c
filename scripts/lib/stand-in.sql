-- A stand-in for Citus, for tests: events of an identifier are on one of several servers (postgres_fdw), and the database
-- of the backend has only the way there. To be read into a database that `luna backend migrate` has made, and before any
-- day is in it; then stand_in.begin() says where the servers are.

CREATE EXTENSION postgres_fdw;
CREATE EXTENSION dblink;
CREATE SCHEMA stand_in;
CREATE TABLE stand_in.workers(number int4 PRIMARY KEY, settings text NOT NULL, place text NOT NULL);
-- Whatever is divided so is divided alike.
CREATE TABLE stand_in.parts(heid uuid NOT NULL) PARTITION BY HASH (heid);

-- Where the servers are, as libpq takes it, and in which schema each has its events.
CREATE FUNCTION stand_in.begin(settings text[], places text[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    worker record;
    options text;
  BEGIN
    INSERT INTO stand_in.workers
      SELECT given.number - 1, given.settings, given.place
      FROM unnest(settings, places) WITH ORDINALITY AS given(settings, place, number);
    -- There is no key above tables of other servers, which have it.
    EXECUTE format('ALTER TABLE luna.events DROP CONSTRAINT %I',
      (SELECT conname FROM pg_constraint WHERE conrelid = 'luna.events'::regclass AND contype = 'p'));
    FOR worker IN SELECT * FROM stand_in.workers LOOP
      SELECT string_agg(format('%I %L', option[1], option[2]), ', ') INTO options
      FROM regexp_matches(worker.settings, '(\w+)=(\S+)', 'g') AS option WHERE option[1] <> 'user';
      EXECUTE format('CREATE SERVER %I FOREIGN DATA WRAPPER postgres_fdw OPTIONS (%s)', 'worker' || worker.number, options);
      EXECUTE format(
        'CREATE USER MAPPING FOR PUBLIC SERVER %I OPTIONS (user %L)', 'worker' || worker.number,
        substring(worker.settings FROM 'user=(\S+)'));
      PERFORM dblink_exec(worker.settings, format('CREATE SCHEMA %I', worker.place));
    END LOOP;
  END $$;

CREATE OR REPLACE FUNCTION luna.shard(heids uuid[]) RETURNS int4[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(
    (SELECT w.number FROM stand_in.workers w
     WHERE satisfies_hash_partition(
       'stand_in.parts'::regclass, (SELECT count(*)::int4 FROM stand_in.workers), w.number, given.heid))
    ORDER BY given.position)
  FROM unnest(heids) WITH ORDINALITY AS given(heid, position)
$$;

-- A day that the backend makes is spread over the servers.
CREATE FUNCTION stand_in.spread() RETURNS event_trigger LANGUAGE plpgsql AS $$
  DECLARE
    made record;
    worker record;
  BEGIN
    FOR made IN
      SELECT c.relname AS day FROM pg_event_trigger_ddl_commands() d JOIN pg_class c ON c.oid = d.objid
      WHERE d.classid = 'pg_class'::regclass AND c.relkind = 'r'
        AND c.relnamespace = 'luna'::regnamespace AND c.relname ~ '^events_[0-9]+$'
    LOOP
      EXECUTE format('DROP TABLE luna.%I', made.day);
      EXECUTE format('CREATE TABLE luna.%I (LIKE luna.events) PARTITION BY HASH (heid)', made.day);
      FOR worker IN SELECT *, count(*) OVER () AS count FROM stand_in.workers LOOP
        PERFORM dblink_exec(
          worker.settings,
          format(
            'SET client_min_messages = warning; CREATE TABLE IF NOT EXISTS %I.%I(
               received int8 NOT NULL, day int4 NOT NULL, esf int4 NOT NULL, version int2 NOT NULL,
               heid uuid NOT NULL, event_id uuid NOT NULL, location bytea NOT NULL, debug text,
               PRIMARY KEY(heid, day, event_id))', worker.place, made.day));
        EXECUTE format(
          'CREATE FOREIGN TABLE luna.%I PARTITION OF luna.%I FOR VALUES WITH (MODULUS %s, REMAINDER %s)
           SERVER %I OPTIONS (schema_name %L, table_name %L)',
          made.day || '_' || worker.number, made.day, worker.count, worker.number, 'worker' || worker.number,
          worker.place, made.day);
      END LOOP;
    END LOOP;
  END $$;
CREATE EVENT TRIGGER stand_in_spread ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
  EXECUTE FUNCTION stand_in.spread();

-- And one that it drops leaves them.
CREATE FUNCTION stand_in.leave() RETURNS event_trigger LANGUAGE plpgsql AS $$
  DECLARE
    gone record;
  BEGIN
    FOR gone IN
      SELECT w.settings, w.place, regexp_replace(o.object_name, '_\d+$', '') AS day
      FROM pg_event_trigger_dropped_objects() o
      JOIN stand_in.workers w ON w.number = substring(o.object_name FROM '_(\d+)$')::int4
      WHERE o.object_type = 'foreign table' AND o.schema_name = 'luna'
    LOOP
      PERFORM dblink_exec(gone.settings, format('DROP TABLE IF EXISTS %I.%I', gone.place, gone.day));
    END LOOP;
  END $$;
CREATE EVENT TRIGGER stand_in_leave ON sql_drop WHEN TAG IN ('DROP TABLE')
  EXECUTE FUNCTION stand_in.leave();
