-- When the PSP itself stops taking an attempt's payment, if it said so. It counts instead of the order's own end. It is
-- kept within a limit after the order's end, so that a PSP that names an absurd time cannot hold stock for ever.
--
-- It is written beside the decisions about the attempt and not by one: it changes no state.
alter table attempts add column session_ends_at timestamptz;
