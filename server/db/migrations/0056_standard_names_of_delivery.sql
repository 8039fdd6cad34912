-- Standard names for the tables, columns and stored values of delivery, notifications and roll calls. The owner of the
-- tables sees their rows only while row-level security is not forced.

alter table stopped_addresses rename to suppressions;
alter table suppressions rename column since to created_at;

alter table early_receipts rename to unmatched_delivery_events;
alter table unmatched_delivery_events rename column receipt to provider_message_id;
alter table unmatched_delivery_events rename column stops to suppression_reason;
alter table unmatched_delivery_events rename column came_at to received_at;

alter table messages rename column in_hand_until to leased_until;
alter table messages rename column receipt to provider_message_id;
alter table messages rename column lane to queue_priority;
alter index messages_receipt rename to messages_provider_message;

alter table message_attempts rename column outcome to result;
alter table message_attempts drop constraint message_attempts_outcome_check;
alter table message_attempts no force row level security;
update message_attempts set result = case result when 'receipt' then 'delivery_event' else 'sent' end
  where result in ('receipt', 'handed_over');
alter table message_attempts force row level security;
alter table message_attempts add constraint message_attempts_result_check
  check (result in ('failed', 'deferred', 'sent', 'delivery_event'));

alter table announcements rename column told_at to sent_at;
alter table announcements rename column people to recipient_count;
alter table announcements drop constraint announcements_status_check;
alter table announcements no force row level security;
update announcements set status = 'sent' where status = 'told';
alter table announcements force row level security;
alter table announcements add constraint announcements_status_check
  check (status in ('draft', 'for_approval', 'waiting', 'sent', 'cancelled'));

alter table announcement_figures rename to announcement_stats;
alter table delivery_figures rename to delivery_stats;
alter table delivery_stats rename column handed_over to sent;
alter table delivery_stats rename column handed_over_p50 to sent_p50;
alter table delivery_stats rename column handed_over_p95 to sent_p95;

alter table sentinel_checks rename to delivery_monitor_checks;
alter table delivery_monitor_checks rename column handed_over_at to sent_at;
alter table sentinel_alarms rename to delivery_monitor_alarms;
alter table delivery_monitor_alarms rename column found to count;

alter table notification_reads rename column is_put_away to is_archived;
alter table message_templates rename column words to content;
alter table withheld_news rename to withheld_announcements;

alter table roll_call_people rename to roll_call_recipients;
alter table roll_call_recipients rename column helper_since to assigned_at;
alter table roll_call_recipients rename column taken_at to accepted_at;
alter table roll_call_recipients rename column asked_helpers to contacted_helper_ids;
alter view roll_call_cared rename to roll_call_in_scope;
alter view roll_call_in_scope rename column helper_since to assigned_at;
alter view roll_call_in_scope rename column taken_at to accepted_at;
alter view roll_call_in_scope rename column asked_helpers to contacted_helper_ids;

alter function portal_told_within rename to portal_audience_scope;
alter function tellable_chapters rename to audience_chapters;

-- Bodies of functions are text and do not follow a rename.
do $$
declare
  called text;
  body text;
begin
  foreach called in array array['portal_audience_scope()', 'audience_chapters()', 'forget_erased_recipient()',
    'forget_stop()', 'settle_digested()', 'ask_roll_call(uuid)', 'roll_call_line(uuid, uuid)', 'roll_call_names(uuid)',
    'roll_call_list(uuid, uuid)', 'account_signs(user_profiles)'] loop
    body := pg_get_functiondef(called::regprocedure);
    body := replace(body, 'stopped_addresses', 'suppressions');
    body := replace(body, 'portal_told_within', 'portal_audience_scope');
    body := replace(body, 'roll_call_people', 'roll_call_recipients');
    body := replace(body, 'roll_call_cared', 'roll_call_in_scope');
    body := replace(body, 'new.receipt', 'new.provider_message_id');
    body := replace(body, 'm.receipt', 'm.provider_message_id');
    body := replace(body, 'p.helper_since', 'p.assigned_at');
    body := replace(body, 'p.taken_at', 'p.accepted_at');
    body := replace(body, 't.status = ''told''', 't.status = ''sent''');
    -- The names of the columns that a function returns change only with a new function.
    if called like 'roll_call_list%' then
      body := replace(body, 'helper_since timestamp', 'assigned_at timestamp');
      body := replace(body, 'taken_at timestamp', 'accepted_at timestamp');
      drop function roll_call_list(uuid, uuid);
    end if;
    execute body;
  end loop;
end $$;

revoke all on function roll_call_list from public;
grant execute on function roll_call_list to portal_user, portal_service;

-- Constraints, indexes, policies and triggers that carry the name of a table.
do $$
declare
  pair text[];
  item record;
begin
  foreach pair slice 1 in array array[
    ['stopped_addresses', 'suppressions'], ['early_receipts', 'unmatched_delivery_events'],
    ['announcement_figures', 'announcement_stats'], ['delivery_figures', 'delivery_stats'],
    ['sentinel_checks', 'delivery_monitor_checks'], ['sentinel_alarms', 'delivery_monitor_alarms'],
    ['withheld_news', 'withheld_announcements'], ['roll_call_people', 'roll_call_recipients']] loop
    for item in select conrelid::regclass as tab, conname as name from pg_constraint
      where connamespace = 'public'::regnamespace and starts_with(conname, pair[1]) loop
      execute format('alter table %s rename constraint %I to %I', item.tab, item.name,
        replace(item.name, pair[1], pair[2]));
    end loop;
    for item in select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'i' and starts_with(c.relname, pair[1]) loop
      execute format('alter index %I rename to %I', item.name, replace(item.name, pair[1], pair[2]));
    end loop;
    for item in select tablename as tab, policyname as name from pg_policies
      where schemaname = 'public' and starts_with(policyname, pair[1]) loop
      execute format('alter policy %I on %I rename to %I', item.name, item.tab, replace(item.name, pair[1], pair[2]));
    end loop;
  end loop;
end $$;
alter table unmatched_delivery_events
  rename constraint unmatched_delivery_events_receipt_check to unmatched_delivery_events_provider_message_id_check;
alter table unmatched_delivery_events
  rename constraint unmatched_delivery_events_stops_check to unmatched_delivery_events_suppression_reason_check;
alter table messages rename constraint messages_lane_check to messages_queue_priority_check;
alter index messages_held rename to messages_deferred;
alter function ring_bells rename to notify_inboxes;
alter trigger ring_bells_insert on notifications rename to notify_inboxes_insert;
alter trigger ring_bells_update on notifications rename to notify_inboxes_update;
alter trigger ring_bells_delete on notifications rename to notify_inboxes_delete;
alter function forget_messages_of_people rename to forget_messages_of_user;
alter trigger forget_messages_of_people on user_profiles rename to forget_messages_of_user;
