"""What a cell shows: sources, tables, predictions, photos. Import it from `convladder.teach`."""
