-- What a case is about, in the other language of the portal; of earlier cases there is the English one only.
alter table assistant_cases add column summary_ar text check (length(summary_ar) <= 4000);
