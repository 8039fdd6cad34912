-- Looking after chapters and locales: who is in a chapter, and what a coordinator may change.

create index locales_latitude on locales (latitude) where latitude is not null;
create index mfa_local_chapters_latitude on mfa_local_chapters (latitude) where latitude is not null;

-- A coordinator who is limited to chapters sees and verifies the people of those chapters, as by country.
create policy profiles_coordinator_chapters on user_profiles for select to portal_user
  using (portal_role() = 'mfa_coordinator' and role in ('traveler', 'member') and profile_status <> 'deleted'
    and coalesce(chapter_id = any(portal_scope_chapters()), false));
create policy profiles_coordinator_chapters_change on user_profiles for update to portal_user
  using (portal_role() = 'mfa_coordinator' and role in ('traveler', 'member') and profile_status <> 'deleted'
    and coalesce(chapter_id = any(portal_scope_chapters()), false))
  with check (portal_role() = 'mfa_coordinator' and role in ('traveler', 'member'));

-- The own chapter by name and city, whoever one is; its record stays with those who look after it.
create function portal_own_chapter() returns table (id uuid, chapter_name text, city text, country_code text)
language sql stable security definer set search_path = public as
$$ select c.id, c.chapter_name, c.city, c.country_code from mfa_local_chapters c
     join user_profiles p on p.chapter_id = c.id where p.id = portal_user_id() $$;
revoke all on function portal_own_chapter from public;
grant execute on function portal_own_chapter to portal_user;

-- A coordinator keeps the counts and the contact of a chapter up to date, whatever a handler forgets.
create function guard_chapter_change() returns trigger language plpgsql as $$
declare
  caring constant text[] := array['membership_count', 'active_travelers_count', 'contact_person', 'contact_position',
    'contact_phone', 'contact_email', 'updated_at'];
begin
  if current_user = 'portal_user' and portal_role() <> 'admin'
    and to_jsonb(new) - caring is distinct from to_jsonb(old) - caring then
    raise exception 'foreign_chapter' using errcode = '42501', detail = 'A coordinator changes counts and contact, nothing else.';
  end if;
  return new;
end $$;
create trigger guard_chapter_change before update on mfa_local_chapters
  for each row execute function guard_chapter_change();
