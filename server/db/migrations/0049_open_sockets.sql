-- Open sockets were let in by what a session was worth when they were opened. Every node hears, once it is committed, whose
-- session ended or is worth something else: 'session:…' and 'person:…', some of them at a time.
create function tell_access_change(names text[]) returns void language plpgsql as $$
declare names_at_once constant integer := 100;
begin
  -- Most changes of a person or a session change nothing of what they may do.
  if cardinality(names) = 0 then return; end if;
  for at in 0 .. (cardinality(names) - 1) / names_at_once loop
    perform pg_notify('access_changes', array_to_string(names[at * names_at_once + 1 : (at + 1) * names_at_once], ','));
  end loop;
end $$;

create function tell_ended_sessions() returns trigger language plpgsql as $$
begin
  perform tell_access_change(array(select 'session:' || o.id from old_rows o));
  return null;
end $$;
create trigger tell_ended_sessions after delete on auth_sessions referencing old table as old_rows
  for each statement execute function tell_ended_sessions();

-- The second step was given, or is owed again.
create function tell_stepped_sessions() returns trigger language plpgsql as $$
begin
  perform tell_access_change(array(
    select 'session:' || n.id from new_rows n join old_rows o using (id)
    where n.user_id is distinct from o.user_id or n.token is distinct from o.token
      or (n.second_factor_at is null) is distinct from (o.second_factor_at is null)));
  return null;
end $$;
create trigger tell_stepped_sessions after update on auth_sessions referencing old table as old_rows new table as new_rows
  for each statement execute function tell_stepped_sessions();

create function tell_changed_people() returns trigger language plpgsql as $$
begin
  perform tell_access_change(array(
    select 'person:' || n.id from new_rows n join old_rows o using (id)
    where (n.role, n.profile_status, n.scope_countries, n.scope_chapters, n.role_ends_at, n.auth_user_id)
      is distinct from (o.role, o.profile_status, o.scope_countries, o.scope_chapters, o.role_ends_at, o.auth_user_id)));
  return null;
end $$;
create trigger tell_changed_people after update on user_profiles referencing old table as old_rows new table as new_rows
  for each statement execute function tell_changed_people();
