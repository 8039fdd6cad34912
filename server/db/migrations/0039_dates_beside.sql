-- A date that is noted in a hundred thousand rows, with room for it on the page, changes none of their indexes.
alter table advisory_subscriptions set (fillfactor = 50);
alter table push_subscriptions set (fillfactor = 50);
