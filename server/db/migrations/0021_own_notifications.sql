-- What is a person's own about being told: who else may read it, what keeps other open pages of the same person right,
-- and when an address last worked.

-- Administrators read what somebody chose and read; they choose and read for nobody.
create policy notification_preferences_admin on notification_preferences for select to portal_user
  using (portal_role() = 'admin');
create policy notification_reads_admin on notification_reads for select to portal_user using (portal_role() = 'admin');
-- Nobody notes as read what was not told to a group of theirs.
create policy notification_reads_heard on notification_reads as restrictive for insert to portal_user
  with check (exists (select from notifications n where n.id = notification_id and portal_hears(n.recipient_role)));

-- What is read or put away on one device is gone from the bell of the others.
create function ring_readers() returns trigger language plpgsql as $$
declare
  read_by text[] := array(select distinct user_id::text from new_rows limit 101);
begin
  if cardinality(read_by) > 0 then
    perform pg_notify('notifications', case when cardinality(read_by) > 100 then '*' else array_to_string(read_by, ',') end);
  end if;
  return null;
end $$;
create trigger ring_readers_insert after insert on notification_reads referencing new table as new_rows
  for each statement execute function ring_readers();
create trigger ring_readers_update after update on notification_reads referencing new table as new_rows
  for each statement execute function ring_readers();
create trigger ring_bells_delete after delete on notifications referencing old table as new_rows
  for each statement execute function ring_bells();

-- Written when a receipt comes, so that telling many is no slower for it.
create index messages_worked on messages (user_id, channel, delivered_at desc) where delivered_at is not null;

-- Whoever shows anew that an address or a number is theirs, and works, is sent to again.
create policy stopped_addresses_login on stopped_addresses for all to current_user using (true) with check (true);
create function forget_stop() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_argv[0] = 'email' and new.email_verified then
    delete from stopped_addresses where channel = 'email' and address = lower(new.email);
  elsif tg_argv[0] = 'phone' and new.phone_number_verified then
    delete from stopped_addresses where channel in ('sms', 'whatsapp') and address = lower(new.phone_number);
  end if;
  return null;
end $$;
create trigger forget_stop_of_email after update of email_verified on auth_users
  for each row execute function forget_stop('email');
create trigger forget_stop_of_phone after update of phone_number_verified on auth_users
  for each row execute function forget_stop('phone');
