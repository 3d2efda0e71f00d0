"""Events among others: lists, the calendar, feeds, embedded pages, finding."""
