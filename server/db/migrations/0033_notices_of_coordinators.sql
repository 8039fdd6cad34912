-- Coordinators write to the people they look after: every notice of theirs holds the places within which it is told, and
-- the tables take it only while these are those of the role.

/* Within which places the caller may tell many: null for administrators (no limit) and for who may tell nobody. */
create function portal_told_within() returns jsonb language sql stable security definer set search_path = public as
$$ select case
     when not portal_is_coordinator() then null
     when portal_role() <> 'local_servant' and portal_scope_countries() is null and portal_scope_chapters() is null
       then '{"everywhere": true}'::jsonb
     else jsonb_build_object(
       'countries', to_jsonb(array(select c from unnest(portal_scope_countries()) c order by c)),
       'chapters', to_jsonb(array(select c from unnest(portal_scope_chapters()) c
         union select l from portal_led_chapters() l order by 1))) end $$;

/* The chapters whose people the caller may tell. */
create function tellable_chapters() returns table (id uuid, chapter_name text, country_code text) language sql stable
  security definer set search_path = public as
$$ select c.id, c.chapter_name, c.country_code from mfa_local_chapters c, (select portal_told_within() as places) w
   where portal_role() = 'admin' or w.places ? 'everywhere' or w.places -> 'chapters' ? c.id::text
     or w.places -> 'countries' ? c.country_code
   order by c.chapter_name collate "C", c.id limit 2000 $$;
revoke all on function portal_told_within, tellable_chapters from public;
grant execute on function portal_told_within, tellable_chapters to portal_user, portal_service;

create policy announcements_own on announcements for select to portal_user
  using (kind = 'notice' and created_by = portal_user_id() and portal_is_coordinator());
create policy announcements_own_new on announcements for insert to portal_user
  with check (kind = 'notice' and template = 'notice' and status = 'draft' and created_by = portal_user_id()
    and audience -> 'within' = portal_told_within());
-- What is cancelled goes nowhere, wherever the role counts by now.
create policy announcements_own_change on announcements for update to portal_user
  using (kind = 'notice' and created_by = portal_user_id() and portal_is_coordinator())
  with check (kind = 'notice' and template = 'notice' and created_by = portal_user_id() and approved_by is null
    and portal_is_coordinator() and (status = 'cancelled' or audience -> 'within' = portal_told_within()));
create policy announcements_own_drafts on announcements for delete to portal_user
  using (kind = 'notice' and status = 'draft' and created_by = portal_user_id() and portal_is_coordinator());

/* What waits in the name of somebody whose role changed is a draft again: nobody is told by a role that is gone. */
create function give_notices_back() returns trigger language plpgsql as $$
begin
  update announcements set status = 'draft', updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where created_by = new.id and status in ('waiting', 'for_approval') and audience ? 'within';
  return null;
end $$;
create trigger give_notices_back after update on user_profiles for each row
  when ((old.role, old.scope_countries, old.scope_chapters, old.profile_status, old.role_ends_at)
    is distinct from (new.role, new.scope_countries, new.scope_chapters, new.profile_status, new.role_ends_at))
  execute function give_notices_back();
