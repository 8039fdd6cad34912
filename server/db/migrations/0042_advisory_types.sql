-- Every type that the text of an advisory names, the main one first: one column alone lets "crime and health" be missed
-- by everyone who chose the other. Null: not read from the text yet; the next start does so.
alter table travel_advisories
  add column advisory_types text[] check (
    advisory_types <@ array['security', 'health', 'weather', 'political', 'entry_requirements', 'transport']
  );
create index travel_advisories_untyped on travel_advisories (id) where advisory_types is null;
