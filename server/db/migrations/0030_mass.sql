-- An advisory goes to a hundred thousand people in one statement. Looking up and locking the person and the announcement
-- for each of their rows cost as much as writing them: what is told to many is tidied up when its cause goes, instead.
alter table messages
  drop constraint messages_user_id_fkey,
  drop constraint messages_announcement_id_fkey;
alter table notifications
  drop constraint notifications_user_id_fkey,
  drop constraint notifications_announcement_id_fkey;

create function forget_messages_of_people() returns trigger language plpgsql security definer set search_path = public as $$
begin
  delete from messages m using old_rows o where m.user_id = o.id;
  delete from notifications n using old_rows o where n.user_id = o.id;
  return null;
end $$;
create trigger forget_messages_of_people after delete on user_profiles referencing old table as old_rows
  for each statement execute function forget_messages_of_people();

create function forget_messages_of_announcements() returns trigger language plpgsql security definer set search_path = public as $$
begin
  delete from messages m using old_rows o where m.announcement_id = o.id;
  delete from notifications n using old_rows o where n.announcement_id = o.id;
  return null;
end $$;
create trigger forget_messages_of_announcements after delete on announcements referencing old table as old_rows
  for each statement execute function forget_messages_of_announcements();

-- Those functions act as the owner, whom forced row security holds like everybody else.
create policy messages_forgotten on messages for delete to current_user using (true);
create policy notifications_forgotten on notifications for delete to current_user using (true);

-- Asked only of the one message that it is about.
drop trigger forget_erased_recipient on messages;
create trigger forget_erased_recipient before insert or update on messages
  for each row when (new.template = 'account-erased') execute function forget_erased_recipient();
