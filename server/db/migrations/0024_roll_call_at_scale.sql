-- A roll-call of ten thousand people is asked and listed within the time of a request: where the caller's role counts is
-- found out once for a statement, not for each row.

create function portal_led_chapters() returns setof uuid language sql stable security definer set search_path = public as
$$ select c.id from mfa_local_chapters c where c.coordinator_id = portal_user_id() $$;

drop policy roll_call_people_care on roll_call_people;
drop policy roll_call_people_care_change on roll_call_people;
drop policy roll_calls_seen on roll_calls;
drop policy roll_call_people_start on roll_call_people;
drop function portal_started;

-- Whom the caller looks after: by country, by chapter, or because help was asked of her. A subquery runs once.
do $$
declare looked_after constant text := '(select portal_role() = ''admin'')
  or (select portal_user_id()) = any(asked_helpers)
  or ((select portal_role() in (''mfa_coordinator'', ''local_servant'')) and (
    (select portal_scope_countries() is null and portal_scope_chapters() is null)
    or country_code::text = any((select portal_scope_countries())::text[])
    or chapter_id = any((select portal_scope_chapters())::uuid[])
    or chapter_id in (select portal_led_chapters())))';
begin
  execute format('create policy roll_call_people_care on roll_call_people for select to portal_user using (%s)', looked_after);
  execute format('create policy roll_call_people_care_change on roll_call_people for update to portal_user
    using (%1$s) with check (%1$s)', looked_after);
  -- The same without one's own line, which is not one to look after.
  execute format('create view roll_call_cared as select * from roll_call_people where %s', looked_after);
end $$;
grant select on roll_call_cared to portal_user;
create policy roll_calls_seen on roll_calls for select to portal_user
  using (portal_may_call(country_codes, chapter_id)
    or exists (select from roll_call_cared p where p.roll_call_id = id));

/* The list of a roll-call, or one person of it, as far as the caller looks after them: how to reach each, what arrived. */
create or replace function roll_call_list(call uuid, person uuid default null) returns table (
  user_id uuid, name text, phone text, country_code text, chapter_id uuid, chapter_name text, answer text,
  answered_at timestamptz, answered_via text, note text, helper_id uuid, helper_name text, helper_since timestamptz,
  taken_at timestamptz, escalations integer, helped_at timestamptz, help_note text, reached text
) language sql stable security definer set search_path = public as
$$ with asked as materialized (
     select array_append(r.reminder_ids, r.announcement_id) as told,
       exists (select from announcements t where t.id = any(array_append(r.reminder_ids, r.announcement_id))
         and t.status = 'told') as is_told
     from roll_calls r where r.id = call),
   arrived as materialized (
     select m.user_id, min(case m.status when 'delivered' then 1 when 'sent' then 2 when 'recorded' then 2
       when 'pending' then 3 when 'sending' then 3 when 'held' then 3 else 4 end) as best
     from messages m where m.announcement_id = any((select told from asked)::uuid[])
       and (person is null or m.user_id = person)
     group by m.user_id),
   seen as materialized (
     select distinct n.user_id from notifications n
     where n.announcement_id = any((select told from asked)::uuid[]) and n.read_at is not null
       and (person is null or n.user_id = person))
   select p.user_id, u.display_name, coalesce(p.phone, u.phone_number), p.country_code::text, p.chapter_id, c.chapter_name,
     p.answer, p.answered_at, p.answered_via, p.note, p.helper_id, h.display_name, p.helper_since, p.taken_at,
     p.escalations, p.helped_at, p.help_note,
     case when s.user_id is not null then 'delivered'
       else (array['delivered', 'sent', 'waiting', 'failed'])[coalesce(a.best,
         case when (select is_told from asked) then 4 else 3 end)] end
   from roll_call_cared p
   join user_profiles u on u.id = p.user_id
   left join user_profiles h on h.id = p.helper_id
   left join mfa_local_chapters c on c.id = p.chapter_id
   left join arrived a on a.user_id = p.user_id
   left join seen s on s.user_id = p.user_id
   where p.roll_call_id = call and (person is null or p.user_id = person) $$;
drop function portal_helps;

/* Writes down whom a roll-call asks that the caller has just started: everybody whom it concerns. */
create function ask_roll_call(call uuid) returns setof uuid language plpgsql security definer set search_path = public as $$
declare asked roll_calls;
begin
  select * into asked from roll_calls r where r.id = call and r.announcement_id is null
    and r.started_by = portal_user_id() and portal_may_call(r.country_codes, r.chapter_id);
  if not found then
    raise exception 'not_yours' using errcode = '42501', detail = 'Only who starts a roll-call says whom it asks.';
  end if;
  return query insert into roll_call_people (roll_call_id, user_id, country_code, chapter_id)
    select call, c.user_id, c.country_code, c.chapter_id from roll_call_concerned(asked.country_codes, asked.chapter_id) c
    returning user_id;
end $$;
revoke all on function ask_roll_call from public;
grant execute on function ask_roll_call to portal_user;
revoke insert on roll_call_people from portal_user;
