-- What was only recorded, because no provider is configured, was not sent: neither in the list of a roll call nor for
-- what a digest gathered.

/* Of a person whose messages were all only recorded the list says so. In its own text, whatever else that holds. */
do $$
declare list text := pg_get_functiondef('roll_call_list(uuid, uuid)'::regprocedure);
begin
  list := replace(list, 'when ''recorded'' then 2', 'when ''recorded'' then 5');
  list := replace(list, '''waiting'', ''failed''])', '''waiting'', ''failed'', ''recorded''])');
  if position('''recorded'' then 5' in list) = 0 or position('''failed'', ''recorded''])' in list) = 0 then
    raise exception 'roll_call_list does not say which messages were only recorded';
  end if;
  execute list;
end $$;

/* What a digest gathers waits for it, and fares as the digest does. Its receipt is the key of the digest. */
create function settle_digested() returns trigger language plpgsql as $$
begin
  update messages m set status = new.status, sent_at = new.sent_at, delivered_at = new.delivered_at, error = new.error
    where m.receipt = new.message_key and m.status in ('held', 'sent', 'delivered', 'failed', 'recorded')
      and m.id <> new.id;
  return null;
end $$;
create trigger settle_digested after update of status on messages for each row
  when (new.template = 'digest' and old.status is distinct from new.status
    and new.status in ('sent', 'delivered', 'recorded', 'failed', 'dropped', 'cancelled'))
  execute function settle_digested();

-- What was written as sent when its digest was only put into the outbox.
update messages m set status = d.status, sent_at = d.sent_at, delivered_at = d.delivered_at, error = d.error
  from messages d
  where d.template = 'digest' and m.receipt = d.message_key and m.status = 'sent'
    and d.status in ('recorded', 'failed', 'dropped', 'cancelled');

-- What waits for the end of quiet hours, by its reader: those hours may end at any time.
create index messages_quiet on messages (user_id) where status = 'pending' and error = 'Waits for the end of the quiet hours';
