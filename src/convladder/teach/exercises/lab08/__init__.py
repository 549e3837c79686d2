"""Lab 08: MEC's GEMMs as a library wants to be told, from leading dimensions to no copy at all."""
