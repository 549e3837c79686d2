"""What a cell shows: sources, tables, predictions, photos, banners. Its face is `teach`."""
