-- Standard terms in stored values: an announcement is no "notice", a message that waits for a digest is deferred, what
-- an administrator announces is manual, and messages that prove delivery are canaries. The digest of a message gets a
-- column, and a missing provider an alarm.

-- The owner of the tables, who migrates them, has no policies.
do $$
declare tab text;
begin
  foreach tab in array array['messages', 'announcements', 'announcement_stats', 'notifications', 'settings',
    'scheduled_notifications', 'notification_preferences', 'message_templates', 'delivery_monitor_alarms'] loop
    execute format('alter table %I no force row level security', tab);
  end loop;
end $$;

alter table messages drop constraint messages_kind_check, drop constraint messages_status_check;
drop index messages_deferred;
update messages set kind = 'announcement' where kind = 'notice';
update messages set template = 'announcement' where template = 'notice';
update messages set status = 'deferred' where status = 'held';
update messages set template = 'admin-alert' where template = 'sentinel' and user_id is not null;
update messages set template = 'canary', message_key = replace(message_key, ' sentinel ', ' canary ')
  where template = 'sentinel';
update announcement_stats set status = 'deferred' where status = 'held';
alter table messages
  add constraint messages_kind_check check (kind in ('account', 'advisory', 'announcement', 'roll_call', 'reminder')),
  -- deferred: waits for its reader's digest. dropped: no longer true, or no longer wanted, when it was due.
  add constraint messages_status_check check (status in
    ('pending', 'deferred', 'sending', 'sent', 'delivered', 'failed', 'dropped', 'cancelled', 'recorded')),
  -- The message_key of the digest that this message is in.
  add column digest_key text;
update messages set digest_key = provider_message_id, provider_message_id = null
  where provider_message_id like 'digest %';
create index messages_deferred on messages (user_id) where status = 'deferred';
create index messages_digest on messages (digest_key) where digest_key is not null;

/* The messages in a digest share its result. */
create or replace function settle_digested() returns trigger language plpgsql as $$
begin
  update messages m set status = new.status, sent_at = new.sent_at, delivered_at = new.delivered_at, error = new.error
    where m.digest_key = new.message_key and m.status in ('deferred', 'sent', 'delivered', 'failed', 'recorded');
  return null;
end $$;

alter policy announcements_own on announcements
  using (kind = 'announcement' and created_by = portal_user_id() and portal_is_coordinator());
alter policy announcements_own_new on announcements
  with check (kind = 'announcement' and template = 'announcement' and status = 'draft'
    and created_by = portal_user_id() and audience -> 'within' = portal_audience_scope());
alter policy announcements_own_change on announcements
  using (kind = 'announcement' and created_by = portal_user_id() and portal_is_coordinator())
  with check (kind = 'announcement' and template = 'announcement' and created_by = portal_user_id()
    and approved_by is null and portal_is_coordinator()
    and (status = 'cancelled' or audience -> 'within' = portal_audience_scope()));
alter policy announcements_own_drafts on announcements
  using (kind = 'announcement' and status = 'draft' and created_by = portal_user_id() and portal_is_coordinator());
alter table announcements drop constraint announcements_kind_check, drop constraint announcements_reason_check;
update announcements set kind = 'announcement' where kind = 'notice';
update announcements set template = 'announcement' where template = 'notice';
update announcements set reason = 'manual' where reason = 'by_hand';
alter table announcements
  add constraint announcements_kind_check check (kind in ('advisory', 'announcement', 'roll_call', 'reminder')),
  add constraint announcements_reason_check
    check (reason in ('new', 'escalated', 'instruction_changed', 'withdrawn', 'manual'));
/* At most 20 subscriptions for a user, also when several are added at once. */
create or replace function limit_subscriptions() returns trigger language plpgsql
  security definer set search_path = public as $$
begin
  perform from user_profiles where id = new.user_id for update;
  if (select count(*) from advisory_subscriptions where user_id = new.user_id) >= 20 then
    raise exception 'at most 20 subscriptions' using errcode = '23514', constraint = 'advisory_subscriptions_max';
  end if;
  return new;
end $$;
update message_templates set name = 'announcement' where name = 'notice';

update notifications set type = 'announcement' where type = 'notice';
update scheduled_notifications set type = 'announcement' where type = 'notice';
update notification_preferences
  set channels = channels - 'notice' || jsonb_build_object('announcement', channels -> 'notice')
  where channels ? 'notice';
create or replace view communication_preferences with (security_invoker = true) as
  select u.id as user_id, u.email, u.phone_number,
    coalesce((p.channels #>> '{announcement,email}')::boolean, true) as email_notifications,
    coalesce((p.channels #>> '{announcement,sms}')::boolean, true) as sms_notifications
  from user_profiles u left join notification_preferences p on p.user_id = u.id;

create or replace function roll_call_list(call uuid, person uuid default null) returns table (
  user_id uuid, name text, phone text, country_code text, chapter_id uuid, chapter_name text, answer text,
  answered_at timestamptz, answered_via text, note text, helper_id uuid, helper_name text, assigned_at timestamptz,
  accepted_at timestamptz, escalations integer, helped_at timestamptz, help_note text, reached text
) language sql stable security definer set search_path = public as
$$ with sent as materialized (
     select array_append(r.reminder_ids, r.announcement_id) as announcement_ids,
       exists (select from announcements t where t.id = any(array_append(r.reminder_ids, r.announcement_id))
         and t.status = 'sent') as is_sent
     from roll_calls r where r.id = call),
   arrived as materialized (
     select m.user_id, min(case m.status when 'delivered' then 1 when 'sent' then 2 when 'recorded' then 5
       when 'pending' then 3 when 'sending' then 3 when 'deferred' then 3 else 4 end) as best
     from messages m where m.announcement_id = any((select announcement_ids from sent)::uuid[])
       and (person is null or m.user_id = person)
     group by m.user_id),
   seen as materialized (
     select distinct n.user_id from notifications n
     where n.announcement_id = any((select announcement_ids from sent)::uuid[]) and n.read_at is not null
       and (person is null or n.user_id = person))
   select p.user_id, u.display_name, coalesce(p.phone, u.phone_number), p.country_code::text, p.chapter_id,
     c.chapter_name, p.answer, p.answered_at, p.answered_via, p.note, p.helper_id, h.display_name, p.assigned_at,
     p.accepted_at, p.escalations, p.helped_at, p.help_note,
     case when s.user_id is not null then 'delivered'
       else (array['delivered', 'sent', 'waiting', 'failed', 'recorded'])[coalesce(a.best,
         case when (select is_sent from sent) then 4 else 3 end)] end
   from roll_call_in_scope p
   join user_profiles u on u.id = p.user_id
   left join user_profiles h on h.id = p.helper_id
   left join mfa_local_chapters c on c.id = p.chapter_id
   left join arrived a on a.user_id = p.user_id
   left join seen s on s.user_id = p.user_id
   where p.roll_call_id = call and (person is null or p.user_id = person) $$;

update settings set key = replace(key, '.sentinel_', '.canary_') where key like 'notifications.sentinel\_%';
update audit_log set action = 'announcement.' || substr(action, 8) where action like 'notice.%';
update audit_log set subject_id = replace(subject_id, '.sentinel_', '.canary_')
  where subject_type = 'setting' and subject_id like 'notifications.sentinel\_%';

update delivery_monitor_alarms set cause = case cause when 'not_told' then 'not_fanned_out'
  else replace(cause, 'not_handed_over_', 'not_sent_') end;
-- An alarm of its own; until now it was open as long as its inbox item had this key.
with alarm as (
  insert into delivery_monitor_alarms (cause, count, raised_at, seen_at)
  select 'no_mail_provider', 1, created_at, created_at from notifications where event_key = 'no mail provider'
  returning id)
update notifications n set event_key = 'delivery_monitor ' || alarm.id from alarm
  where n.event_key = 'no mail provider';

do $$
declare tab text;
begin
  foreach tab in array array['messages', 'announcements', 'announcement_stats', 'notifications', 'settings',
    'scheduled_notifications', 'notification_preferences', 'message_templates', 'delivery_monitor_alarms'] loop
    execute format('alter table %I force row level security', tab);
  end loop;
end $$;
