-- Answers about a place near which somebody searches are kept with those of the locales. Whoever has changed the cities
-- calls this when done, and all kept answers are made anew. No row is named, since nobody holds cities in memory.
create function drop_kept_answers() returns void language plpgsql security definer set search_path = public as $$
declare next bigint;
begin
  update public_version set version = version + 1 returning version into next;
  insert into public_changes values (next, 'cities', '*');
  perform pg_notify('public_changes', next::text);
end $$;
revoke execute on function drop_kept_answers() from public;
grant execute on function drop_kept_answers() to portal_service;
