-- An attempt that is paid has its PSP's id and what was received, and is half as long again as before. Where attempts filled half
-- of a page and were paid at about the same time, one in ten found no room there and got new index entries.
alter table attempts set (fillfactor = 40);
