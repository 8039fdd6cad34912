-- Roll-call: who may ask and look after whom, whom help was asked of, and calls to pages that show the list.

alter table roll_calls add column reminder_ids uuid[] not null default '{}';
alter table roll_call_people
  -- Where somebody who needs help can be reached, where it is not the number of the profile.
  add column phone text check (length(phone) <= 40),
  -- Everybody who was asked to help, in order: nobody of them is the next.
  add column asked_helpers uuid[] not null default '{}',
  -- What the helper wrote when it was over.
  add column help_note text check (length(help_note) <= 500);
create index roll_call_people_helper on roll_call_people (helper_id) where helper_id is not null;
-- A number may be shared or taken over: the roll-call answered by text is the one its owner was asked in last.
create index user_profiles_phone on user_profiles (phone_number) where phone_number is not null;

-- What the functions below read, which belong to the login role.
create policy roll_calls_owner on roll_calls for all to current_user using (true) with check (true);
create policy roll_call_people_owner on roll_call_people for all to current_user using (true) with check (true);
create policy messages_owner on messages for select to current_user using (true);
create policy notifications_owner on notifications for select to current_user using (true);

/* True where a roll-call of these countries and this chapter lies within the caller's role: all of it. */
create function portal_may_call(countries text[], chapter uuid) returns boolean language sql stable
  security definer set search_path = public as
$$ select coalesce(portal_role() = 'admin' or (portal_role() in ('mfa_coordinator', 'local_servant') and (
     (portal_scope_countries() is null and portal_scope_chapters() is null)
     or ((cardinality(countries) > 0 or chapter is not null)
       and (cardinality(countries) = 0 or coalesce(countries <@ portal_scope_countries(), false))
       and (chapter is null or coalesce(chapter = any(portal_scope_chapters()), false)
         or exists (select from mfa_local_chapters c where c.id = chapter
           and (c.coordinator_id = portal_user_id() or coalesce(c.country_code = any(portal_scope_countries()), false)))))
   )), false) $$;

/* True for those who look after somebody who was asked: by country, by chapter, or because help was asked of them. */
create function portal_helps(country text, chapter uuid, helpers uuid[]) returns boolean language sql stable
  security definer set search_path = public as
$$ select coalesce(portal_role() = 'admin' or portal_user_id() = any(helpers)
     or (portal_role() in ('mfa_coordinator', 'local_servant') and (portal_covers(array[country])
       or coalesce(chapter = any(portal_scope_chapters()), false)
       or exists (select from mfa_local_chapters c where c.id = chapter and c.coordinator_id = portal_user_id()))), false) $$;

/* Whom a roll-call concerns, and where they are: nobody outside of what the caller may ask. */
create function roll_call_concerned(countries text[], chapter uuid)
  returns table (user_id uuid, country_code text, chapter_id uuid) language sql stable
  security definer set search_path = public as
$$ select u.id,
     coalesce(case when u.country_code = any($1) then u.country_code end,
       (select c from unnest(u.countries) c where c = any($1) limit 1), u.country_code,
       (select c.country_code from mfa_local_chapters c where c.id = $2)),
     u.chapter_id
   from user_profiles u
   where portal_may_call($1, $2) and u.profile_status in ('pending', 'active')
     and (u.country_code = any($1) or u.countries && $1 or u.chapter_id = $2) $$;

/* The list of a roll-call, or one person of it, as far as the caller looks after them: how to reach each, what arrived. */
create function roll_call_list(call uuid, person uuid default null) returns table (
  user_id uuid, name text, phone text, country_code text, chapter_id uuid, chapter_name text, answer text,
  answered_at timestamptz, answered_via text, note text, helper_id uuid, helper_name text, helper_since timestamptz,
  taken_at timestamptz, escalations integer, helped_at timestamptz, help_note text, reached text
) language sql stable security definer set search_path = public as
$$ with asked as (select id, array_append(reminder_ids, announcement_id) as told from roll_calls where id = call),
   arrived as (
     select m.user_id, min(case m.status when 'delivered' then 1 when 'sent' then 2 when 'recorded' then 2
       when 'pending' then 3 when 'sending' then 3 when 'held' then 3 else 4 end) as best
     from messages m, asked where m.announcement_id = any(asked.told) and (person is null or m.user_id = person) group by m.user_id),
   seen as (
     select distinct n.user_id from notifications n, asked
     where n.announcement_id = any(asked.told) and n.read_at is not null
       and (person is null or n.user_id = person))
   select p.user_id, u.display_name, coalesce(p.phone, u.phone_number), p.country_code::text, p.chapter_id, c.chapter_name,
     p.answer, p.answered_at, p.answered_via, p.note, p.helper_id, h.display_name, p.helper_since, p.taken_at,
     p.escalations, p.helped_at, p.help_note,
     case when s.user_id is not null then 'delivered'
       else (array['delivered', 'sent', 'waiting', 'failed'])[coalesce(a.best, case when p.told then 4 else 3 end)] end
   from (select r.*, exists (select from asked, announcements t where t.id = any(asked.told) and t.status = 'told') as told
         from roll_call_people r where r.roll_call_id = call) p
   join user_profiles u on u.id = p.user_id
   left join user_profiles h on h.id = p.helper_id
   left join mfa_local_chapters c on c.id = p.chapter_id
   left join arrived a on a.user_id = p.user_id
   left join seen s on s.user_id = p.user_id
   where (person is null or p.user_id = person) and portal_helps(p.country_code, p.chapter_id, p.asked_helpers) $$;
create policy announcements_owner on announcements for select to current_user using (true);

/* Names that coordinators may not read by themselves: of the chapter that is asked, and of who asked. */
create function roll_call_names(call uuid) returns table (chapter_name text, started_by_name text) language sql stable
  security definer set search_path = public as
$$ select c.chapter_name, u.display_name from roll_calls r
   left join mfa_local_chapters c on c.id = r.chapter_id left join user_profiles u on u.id = r.started_by
   where r.id = call and portal_role() in ('admin', 'mfa_coordinator', 'local_servant') $$;
/* The chapters that the caller may ask. */
create function roll_call_chapters() returns table (id uuid, chapter_name text, country_code text) language sql stable
  security definer set search_path = public as
$$ select c.id, c.chapter_name, c.country_code from mfa_local_chapters c where portal_may_call('{}', c.id)
   order by c.chapter_name collate "C", c.id limit 2000 $$;
revoke all on function roll_call_concerned, roll_call_list, roll_call_names, roll_call_chapters from public;
grant execute on function roll_call_concerned, roll_call_list, roll_call_names, roll_call_chapters
  to portal_user, portal_service;

create function portal_started(call uuid) returns boolean language sql stable security definer set search_path = public as
$$ select exists (select from roll_calls r where r.id = call and r.started_by = portal_user_id()
     and portal_may_call(r.country_codes, r.chapter_id)) $$;

create policy roll_calls_start on roll_calls for insert to portal_user
  with check (started_by = portal_user_id() and portal_may_call(country_codes, chapter_id));
create policy roll_calls_seen on roll_calls for select to portal_user
  using (portal_may_call(country_codes, chapter_id) or exists (select from roll_call_people p
    where p.roll_call_id = id and portal_helps(p.country_code, p.chapter_id, p.asked_helpers)));
create policy roll_calls_change on roll_calls for update to portal_user
  using (portal_may_call(country_codes, chapter_id)) with check (portal_may_call(country_codes, chapter_id));
create policy roll_call_people_start on roll_call_people for insert to portal_user
  with check (portal_started(roll_call_id) and answer is null);
create policy roll_call_people_care on roll_call_people for select to portal_user
  using (portal_helps(country_code, chapter_id, asked_helpers));
create policy roll_call_people_care_change on roll_call_people for update to portal_user
  using (portal_helps(country_code, chapter_id, asked_helpers))
  with check (portal_helps(country_code, chapter_id, asked_helpers));
grant insert, update (ended_at, announcement_id, reminder_ids) on roll_calls to portal_user;
grant insert, update (helper_id, helper_since, taken_at, helped_at, help_note, asked_helpers) on roll_call_people
  to portal_user;

-- Pages that show a roll-call look again when it is named.
create function call_roll() returns trigger language plpgsql as $$
declare changed text;
begin
  for changed in select distinct roll_call_id::text from new_rows loop
    perform pg_notify('roll_calls', changed);
  end loop;
  return null;
end $$;
create trigger call_roll_insert after insert on roll_call_people referencing new table as new_rows
  for each statement execute function call_roll();
create trigger call_roll_update after update on roll_call_people referencing new table as new_rows
  for each statement execute function call_roll();
