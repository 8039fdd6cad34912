-- Notifications whose delivery status is not known yet, looked for every minute.
create index notifications_pending on notifications (id) where status = 'pending';
