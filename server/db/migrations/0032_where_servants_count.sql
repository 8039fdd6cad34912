-- A role without a list of places counts everywhere for MFA coordinators alone. A local servant asks and looks after the
-- countries that the role names and the chapters that she leads, and nobody where it names none.

create function portal_counts_everywhere() returns boolean language sql stable as
$$ select portal_role() = 'mfa_coordinator' and portal_scope_countries() is null and portal_scope_chapters() is null $$;

create or replace function portal_may_call(countries text[], chapter uuid) returns boolean language sql stable
  security definer set search_path = public as
$$ select coalesce(portal_role() = 'admin' or (portal_role() in ('mfa_coordinator', 'local_servant') and (
     portal_counts_everywhere()
     or ((cardinality(countries) > 0 or chapter is not null)
       and (cardinality(countries) = 0 or coalesce(countries <@ portal_scope_countries(), false))
       and (chapter is null or coalesce(chapter = any(portal_scope_chapters()), false)
         or exists (select from mfa_local_chapters c where c.id = chapter
           and (c.coordinator_id = portal_user_id() or coalesce(c.country_code = any(portal_scope_countries()), false)))))
   )), false) $$;

do $$
declare looked_after constant text := '(select portal_role() = ''admin'')
  or (select portal_user_id()) = any(asked_helpers)
  or ((select portal_role() in (''mfa_coordinator'', ''local_servant'')) and (
    (select portal_counts_everywhere())
    or country_code::text = any((select portal_scope_countries())::text[])
    or chapter_id = any((select portal_scope_chapters())::uuid[])
    or chapter_id in (select portal_led_chapters())))';
begin
  execute format('alter policy roll_call_people_care on roll_call_people using (%s)', looked_after);
  execute format('alter policy roll_call_people_care_change on roll_call_people using (%1$s) with check (%1$s)', looked_after);
  execute format('create or replace view roll_call_cared as select * from roll_call_people where %s', looked_after);
end $$;
