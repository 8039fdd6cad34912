-- A role that looks after people counts somewhere: in countries, in chapters or, by choice and with a reason, everywhere.
-- Without a scope it counts nowhere.

alter table user_profiles
  add column scope_everywhere boolean not null default false,
  add column scope_reason text check (length(btrim(scope_reason)) between 1 and 500);

-- Until now no scope meant everywhere: an upgrade hides nobody from those who look after them. Administrators see these
-- people under "Everywhere" and limit them.
update user_profiles
  set scope_everywhere = true, scope_reason = 'Had no scope before scopes were required', scope_countries = null, scope_chapters = null
  where role in ('mfa_coordinator', 'pdos_coordinator', 'local_servant')
    and cardinality(coalesce(scope_countries, '{}')) = 0 and cardinality(coalesce(scope_chapters, '{}')) = 0;
update user_profiles set scope_countries = null, scope_chapters = null
  where role not in ('mfa_coordinator', 'pdos_coordinator', 'local_servant')
    and (scope_countries is not null or scope_chapters is not null);

alter table user_profiles
  add constraint user_profiles_scope_required check (role not in ('mfa_coordinator', 'pdos_coordinator', 'local_servant')
    or scope_everywhere or cardinality(coalesce(scope_countries, '{}')) > 0 or cardinality(coalesce(scope_chapters, '{}')) > 0),
  add constraint user_profiles_scope_reason check (case when scope_everywhere
    then scope_reason is not null and scope_countries is null and scope_chapters is null else scope_reason is null end),
  add constraint user_profiles_scope_of_role check (role in ('mfa_coordinator', 'pdos_coordinator', 'local_servant')
    or (not scope_everywhere and scope_countries is null and scope_chapters is null));

/* True where the role of this person counts: in one of the countries, or in the chapter. */
create function scope_covers(person user_profiles, places text[], chapter uuid) returns boolean language sql stable as
$$ select coalesce(person.role in ('mfa_coordinator', 'pdos_coordinator', 'local_servant') and (person.scope_everywhere
     or places && person.scope_countries or chapter = any(person.scope_chapters)), false) $$;

drop trigger give_notices_back on user_profiles;
create trigger give_notices_back after update on user_profiles for each row
  when ((old.role, old.scope_countries, old.scope_chapters, old.scope_everywhere, old.profile_status, old.role_ends_at)
    is distinct from
    (new.role, new.scope_countries, new.scope_chapters, new.scope_everywhere, new.profile_status, new.role_ends_at))
  execute function give_notices_back();

/*
 * Whoever leaves a country, or the role, keeps nothing in the bell of people there: news that lead to the pages of the role
 * go. What is still to be done stands on those pages for whoever looks after it.
 */
create function forget_places_left() returns trigger language plpgsql security definer set search_path = public as $$
begin
  delete from notifications where user_id = new.id and action_url like '/admin%';
  return null;
end $$;
create policy notifications_owner_leave on notifications for delete to current_user using (true);
create trigger forget_places_left after update on user_profiles for each row
  when (old.role in ('admin', 'mfa_coordinator', 'pdos_coordinator', 'local_servant') and new.role <> 'admin'
    and not new.scope_everywhere and (new.role <> old.role or old.scope_everywhere
      or not coalesce(old.scope_countries, '{}') <@ coalesce(new.scope_countries, '{}')
      or not coalesce(old.scope_chapters, '{}') <@ coalesce(new.scope_chapters, '{}')))
  execute function forget_places_left();

/* Names that coordinators may not read by themselves, of roll calls that they see: of the chapter, and of who asked. */
create or replace function roll_call_names(call uuid) returns table (chapter_name text, started_by_name text)
  language sql stable security definer set search_path = public as
$$ select c.chapter_name, u.display_name from roll_calls r
   left join mfa_local_chapters c on c.id = r.chapter_id left join user_profiles u on u.id = r.started_by
   where r.id = call and (portal_may_call(r.country_codes, r.chapter_id)
     or exists (select from roll_call_cared p where p.roll_call_id = call)) $$;

create or replace function impersonal(entry jsonb) returns jsonb language sql immutable as
$$ select case when jsonb_typeof(entry) = 'object' then (
     select jsonb_object_agg(key, value) from jsonb_each(entry)
     where key in ('role', 'permissions', 'profile_status', 'scope_countries', 'scope_chapters', 'scope_everywhere',
       'role_ends_at', 'fields', 'bucket')) end $$;

-- New accounts were told to every coordinator of the world, with their addresses. From now on each is told of the own
-- countries; their list holds what still waits.
delete from notifications where recipient_role = 'coordinator' and event_key like 'admin\_alert coordinator %';
