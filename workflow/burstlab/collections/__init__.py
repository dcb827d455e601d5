"""Collections: folders of finished cells that are not measured here, such as those that ship with burstlab."""
